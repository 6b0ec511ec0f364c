/** Bulk loads, and the sorting of more records than fit in memory. */
package io.penstock.commit.bulk;
