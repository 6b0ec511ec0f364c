/** The venues of runs, and the clients that run there: threads of this process, or separate processes. */
@NullMarked
package io.penstock.bench.tpcw.farm;

import org.jspecify.annotations.NullMarked;
