/**
 * The bookstore as a web application: the 14 pages on the server of the JDK, over the library as any program uses it.
 * It is an example to copy, not a shop to run: nobody authorizes payments or administrators.
 */
@NullMarked
package io.penstock.bench.tpcw.shop;

import org.jspecify.annotations.NullMarked;
