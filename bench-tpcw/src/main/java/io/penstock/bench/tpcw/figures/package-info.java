/** The figures of a run: requests, dollars, latencies, purchases and lost updates, and the figures of the paper. */
package io.penstock.bench.tpcw.figures;
