/** The command line of the benchmark: {@code scripts/tpcw}. */
@NullMarked
package io.penstock.bench.tpcw;

import org.jspecify.annotations.NullMarked;
