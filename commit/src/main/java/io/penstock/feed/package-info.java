/**
 * The change feed: the transactions of a domain, in the order of its commit log. Young: a minor version may change it.
 */
package io.penstock.feed;
