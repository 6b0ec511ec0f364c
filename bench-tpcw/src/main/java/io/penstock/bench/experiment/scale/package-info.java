/** {@code scripts/bench scale}: a large collection on the local cloud, in a small heap. */
@NullMarked
package io.penstock.bench.experiment.scale;

import org.jspecify.annotations.NullMarked;
