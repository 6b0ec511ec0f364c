/** What went wrong for the customers of the bookstore: counted from what every session read and wrote. */
@NullMarked
package io.penstock.bench.tpcw.anomaly;

import org.jspecify.annotations.NullMarked;
