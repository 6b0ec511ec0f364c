/** The anomalies that the customers of the bookstore met: counted from the reads and writes of every session. */
@NullMarked
package io.penstock.bench.tpcw.anomaly;

import org.jspecify.annotations.NullMarked;
