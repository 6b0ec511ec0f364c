/** Sorting more records than fit in memory, for bulk loads. */
package io.penstock.commit.bulk;
