/**
 * The bookstore as a web application: the 14 pages of TPC-W on Spring Boot and the starter, as users would write it. It
 * is an example to copy, not a shop to run: payments and administrators are not authorized.
 */
@NullMarked
package io.penstock.bookstore;

import org.jspecify.annotations.NullMarked;
