package io.penstock.core.pool;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.object.ObjectVersion;
import java.util.Optional;

/**
 * A second level under the {@link BufferPool}: larger, slower, and kept when the process ends. It holds the bytes of
 * pages, each with the version of the object they were read from, and decides nothing: whoever finds a page here asks
 * the object store whether that version is current before he uses it. So the tier answers as the store would, and
 * spares only the bytes.
 *
 * <p>It is a cache and may forget anything at any time. No method fails: what cannot be read is not found, what cannot
 * be written is not kept. Safe for use by many threads.
 */
public interface PageTier extends AutoCloseable {
    /** No second level. */
    PageTier NONE = new PageTier() {
        @Override
        public Optional<Kept> find(PageId id) {
            return Optional.empty();
        }

        @Override
        public void keep(PageId id, Kept page) {}

        @Override
        public void drop(PageId id) {}

        @Override
        public TierStats stats() {
            return TierStats.NONE;
        }

        @Override
        public void close() {}
    };

    /**
     * What is kept of a page.
     *
     * @param bytes the page, not compressed, whether its object is or not
     * @param version names that object
     */
    record Kept(Bytes bytes, ObjectVersion version) {}

    /** The page as it was kept last, or as it was kept before that; empty when it is not here. */
    Optional<Kept> find(PageId id);

    /** Whether {@link #find} would most likely find the page. Leaves no trace. */
    default boolean holds(PageId id) {
        return false;
    }

    /** Takes a page that was just read from the store or written to it. The bytes may be written later. */
    void keep(PageId id, Kept page);

    /** Lets go of a page that the store no longer has, or whose bytes are no page. */
    void drop(PageId id);

    TierStats stats();

    /** Lets go of local resources; what is kept stays, for the next one. */
    @Override
    void close();
}
