package io.penstock.core.record;

import io.penstock.core.Bytes;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageFrame;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the leaf page for a key. The one inversion of the layers: the record manager asks, a tree answers. Safe for use
 * by many threads.
 */
public interface PageIndex {
    /** The leaf that covers {@code key}, or empty when there is no page at all. */
    Optional<Leaf> leafFor(Bytes key);

    /**
     * The leaf that {@link #leafFor} would give, if all it takes is pooled and young; null when nothing is known. Makes
     * no object.
     */
    @Nullable
    PageImage pooledLeafFor(Bytes key);

    /** As {@link #leafFor}, for whoever needs the page alone: null when there is none. */
    @Nullable
    PageImage pageFor(Bytes key);

    /** Reads the leaf that covers {@code key} again if it has changed, so that {@link #leafFor} has it as it is now. */
    void refresh(Bytes key);

    /**
     * The leaf that covers the largest keys below {@code bound} (null: the last leaf), or empty when there is no page
     * at all.
     */
    Optional<Leaf> leafBefore(@Nullable Bytes bound);

    /** The same pages; but no leaf is ever read in parts: for whoever needs all of them. */
    default PageIndex whole() {
        return this;
    }

    /** The number of the leaf that most likely covers {@code key}, without reading the leaf. */
    long leafNumberFor(Bytes key);

    /** Fetches what a scan of {@code range} is about to read. For the one thread that scans. */
    Readahead readahead(KeyRange range, Direction direction);

    /**
     * Told of each leaf that a scan comes to, it may fetch that and those behind it. Never fails, never waits for them.
     */
    interface Readahead extends AutoCloseable {
        Readahead NONE = (bound, pooled, passed) -> {};

        /**
         * @param bound where the leaf that the scan comes to begins (ascending) or ends (descending)
         * @param pooled whether it is at hand, so that those behind it may be, too
         * @param passed the leaf before it, whole; null when the scan was not in one
         */
        void coming(Bytes bound, boolean pooled, @Nullable PageImage passed);

        /** The scan will take no more records than that. */
        default void expect(long records) {}

        /** The scan will go to the end of its range. */
        default void expectAll() {}

        /** The scan has ended: nothing more is fetched. */
        @Override
        default void close() {}
    }

    /**
     * A leaf and the range it covers: from {@code low} (inclusive; empty: -infinity) to the high key of its header.
     *
     * @param page the leaf, at most as old as the pool's TTL
     * @param low the lower bound of its keys; fixed as long as the page lives
     * @param isPart whether {@code page} is but a part of the leaf, with the bounds of that part
     */
    record Leaf(PageFrame page, Bytes low, boolean isPart) {}
}
