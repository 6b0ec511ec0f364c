/**
 * The 14 interactions of TPC-W over collections and indexes. Each is a record of what a customer sends, and knows what
 * the shop reads, writes and answers; emulated browsers and the web application run the same ones.
 */
@NullMarked
package io.penstock.bench.tpcw.interaction;

import org.jspecify.annotations.NullMarked;
