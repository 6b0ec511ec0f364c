/** Keys of index entries, and the entries that are due when log records meet a newer index. */
package io.penstock.commit.index;
