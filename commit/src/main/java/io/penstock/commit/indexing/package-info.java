/** Secondary indexes of a collection in use: how they are built, checked and scrubbed. */
package io.penstock.commit.indexing;
