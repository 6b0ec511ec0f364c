/** The cost of the bookstore in a month: price lists as data, and the bill that a run of browsers leads to. */
@NullMarked
package io.penstock.bench.tpcw.cost;

import org.jspecify.annotations.NullMarked;
