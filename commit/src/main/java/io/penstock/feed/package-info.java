/** The change feed: the transactions of a domain, in the order of its commit log. */
package io.penstock.feed;
