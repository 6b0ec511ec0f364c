/** Readable descriptions of the inside of a store: its pages and trees. */
package io.penstock.commit.inspect;
