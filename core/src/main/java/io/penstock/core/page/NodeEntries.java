package io.penstock.core.page;

import io.penstock.core.Bytes;

/**
 * What is to be written to one or more nodes of a level: a sorted sequence of entries of which any range can become a
 * page. Immutable, pure: safe for use by many threads.
 */
public sealed interface NodeEntries permits LeafEntries, InnerEntries {
    int count();

    Bytes key(int index);

    /** About how many bytes the entry takes in a page, never less than it takes. */
    int weight(int index);

    /** Whether everything that is new sorts behind everything that was there: the pattern of a sequential load. */
    boolean isAscending();

    /** The page with the entries from {@code from} (inclusive) to {@code to} (exclusive). */
    PageLayout layout(PageHeader header, int from, int to);

    /**
     * What separates the entries below {@code index} from those at and after it, as short as it can be: greater than
     * the key before, and not greater than the key at {@code index}.
     */
    Bytes separator(int index);
}
