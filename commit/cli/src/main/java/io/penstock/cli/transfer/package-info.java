/** Records as lines of text, to be taken out of a store and into another. */
package io.penstock.cli.transfer;
