/** Measurements other than TPC-W, each in a package of its own: {@code scripts/bench} and {@code scripts/kills}. */
@NullMarked
package io.penstock.bench.experiment;

import org.jspecify.annotations.NullMarked;
