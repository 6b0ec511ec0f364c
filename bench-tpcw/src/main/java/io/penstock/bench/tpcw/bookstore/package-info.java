/**
 * The TPC-W bookstore: its tables, their population, and the paper's transaction on them. Clause numbers are those of
 * the TPC-W specification, version 1.8.
 */
@NullMarked
package io.penstock.bench.tpcw.bookstore;

import org.jspecify.annotations.NullMarked;
