/** The operator's command, {@code scripts/penstock}: administers a store from outside the programs that use it. */
package io.penstock.cli;
