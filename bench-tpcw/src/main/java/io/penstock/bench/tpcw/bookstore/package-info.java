/**
 * The TPC-W bookstore: its tables, their population, the paper's transaction, and the 14 interactions. Each interaction
 * is a record of what a customer sends, and knows what the shop reads, writes and answers; emulated browsers and the
 * web application run the same ones. Clause numbers are those of the TPC-W specification, version 1.8.
 */
@NullMarked
package io.penstock.bench.tpcw.bookstore;

import org.jspecify.annotations.NullMarked;
