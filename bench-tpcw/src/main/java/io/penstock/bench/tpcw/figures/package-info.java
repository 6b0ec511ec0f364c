/** The figures of a run: requests, dollars, latencies and counts of purchases, and the figures of the paper. */
package io.penstock.bench.tpcw.figures;
