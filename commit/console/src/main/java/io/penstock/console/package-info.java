/**
 * The console: pages of a store for a browser, which show and change nothing. Young: a minor version may change it.
 */
@org.jspecify.annotations.NullMarked
package io.penstock.console;
