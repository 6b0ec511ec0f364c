package io.penstock.core.page;

import io.penstock.core.Bytes;

/**
 * The content to be written to one or more nodes of a level: a sorted sequence of entries, any range of which can
 * become a page. Immutable, pure: safe for use by many threads.
 */
public sealed interface NodeEntries permits LeafEntries, InnerEntries {
    int count();

    Bytes key(int index);

    /** An upper bound, nearly tight, of the bytes that the entry takes in a page. */
    int weight(int index);

    /** Whether all new entries sort after all existing ones: the pattern of a sequential load. */
    boolean isAscending();

    /** The page with the entries from {@code from} (inclusive) to {@code to} (exclusive). */
    PageLayout layout(PageHeader header, int from, int to);

    /**
     * The shortest key that separates the entries below {@code index} from the others: greater than the key before it,
     * and not greater than the key at {@code index}.
     */
    Bytes separator(int index);
}
