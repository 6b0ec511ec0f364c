/** The shared parts of the benchmarks' programs: JSON reports, tables, progress, temporary directories. */
@NullMarked
package io.penstock.bench.program;

import org.jspecify.annotations.NullMarked;
