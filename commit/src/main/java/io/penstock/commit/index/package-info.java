/** What applying log records owes to indexes that were added to a collection in use. */
package io.penstock.commit.index;
