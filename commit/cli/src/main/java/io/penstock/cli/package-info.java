/** The command line of {@code scripts/penstock}: looking after a store from outside the programs that use it. */
package io.penstock.cli;
