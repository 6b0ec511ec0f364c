/** Queries: conditions on records and key ranges, and summaries of leaves that say which pages need not be read. */
package io.penstock.commit.query;
