/** The measurements other than TPC-W, for {@code scripts/bench}: most of them of a store in virtual time. */
@NullMarked
package io.penstock.bench.experiment;

import org.jspecify.annotations.NullMarked;
