package io.penstock.core.record;

import io.penstock.core.Bytes;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageFrame;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the leaf page for a key. The one inversion of the layers: the record manager asks, and a tree answers. Safe for
 * use by many threads.
 */
public interface PageIndex {
    /** The leaf that covers {@code key}, or empty when there is no page at all. */
    Optional<Leaf> leafFor(Bytes key);

    /**
     * The leaf that {@link #leafFor} would return, if all pages it needs are pooled and young; otherwise null, which
     * means nothing. Creates no object.
     */
    @Nullable
    PageImage pooledLeafFor(Bytes key);

    /** Returns the page of the leaf that {@link #leafFor} returns; null when there is none. */
    @Nullable
    PageImage pageFor(Bytes key);

    /**
     * Reads the leaf that covers {@code key} again if it has changed, so that {@link #leafFor} returns its present
     * version.
     */
    void refresh(Bytes key);

    /**
     * The leaf that covers the largest keys below {@code bound} (null: the last leaf), or empty when there is no page
     * at all.
     */
    Optional<Leaf> leafBefore(@Nullable Bytes bound);

    /** Returns a view of this index for readers that need all of each leaf: it never reads a leaf in parts. */
    default PageIndex whole() {
        return this;
    }

    /** Whether there is no page at all. */
    boolean isEmpty();

    /** The number of the leaf that most likely covers {@code key}, without reading the leaf. */
    long leafNumberFor(Bytes key);

    /**
     * Starts to read the leaf that a scan of a range begins with, and the pages on the way, unless it is in memory.
     *
     * @param leaf its number; {@link io.penstock.core.PageId#NONE} if it is not known
     */
    default void prefetch(KeyRange range, Direction direction, long leaf) {}

    /** Returns the readahead for a scan of {@code range}. For the one thread that scans. */
    Readahead readahead(KeyRange range, Direction direction);

    /** Fetches leaves ahead of a scan, which announces each leaf it needs. Never fails, never waits for them. */
    interface Readahead extends AutoCloseable {
        Readahead NONE = (bound, pooled, passed) -> {};

        /**
         * @param bound where the leaf that the scan needs next begins (ascending) or ends (descending)
         * @param pooled whether that leaf is pooled, so that those after it may be too
         * @param passed the leaf before it, whole; null when the scan was not in one
         */
        void coming(Bytes bound, boolean pooled, @Nullable PageImage passed);

        /** Announces that the scan will read at most {@code records} records. */
        default void expect(long records) {}

        /** Announces that the scan will read to the end of its range. */
        default void expectAll() {}

        /** Ends the fetching: the scan is over. */
        @Override
        default void close() {}
    }

    /**
     * A leaf and the range it covers: from {@code low} (inclusive; empty: -infinity) to the high key of its header.
     *
     * @param page the leaf, at most as old as the pool's TTL
     * @param low the lower bound of its keys; fixed for the life of the page
     * @param isPart whether {@code page} is only a part of the leaf, with the bounds of that part
     */
    record Leaf(PageFrame page, Bytes low, boolean isPart) {}
}
