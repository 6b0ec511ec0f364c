/** Many clients of one store, in virtual time: what opening, closing, being idle and dying costs each and all. */
@NullMarked
package io.penstock.bench.experiment.fleet;

import org.jspecify.annotations.NullMarked;
