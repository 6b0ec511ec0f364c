/** Change feeds: the commit logs of domains, as programs read them. */
@org.jspecify.annotations.NullMarked
package io.penstock.commit.feed;
