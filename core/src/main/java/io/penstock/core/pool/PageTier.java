package io.penstock.core.pool;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.object.ObjectVersion;
import java.util.Optional;

/**
 * A second level below the {@link BufferPool}: larger, slower, and kept when the process ends. It holds the bytes of
 * pages, each with the version of the object they came from, and makes no decisions. A caller that finds a page here
 * asks the object store whether that version is current before it uses the page. So the tier never changes an answer,
 * and saves only the transfer.
 *
 * <p>It is a cache and may forget anything at any time. No method fails: a page that cannot be read is not found, and
 * one that cannot be written is not kept. Safe for use by many threads.
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
     * A kept page.
     *
     * @param bytes the page, always uncompressed
     * @param version names the object that the bytes came from
     */
    record Kept(Bytes bytes, ObjectVersion version) {}

    /** A page as it was kept last, or some time before; empty when it is not here. */
    Optional<Kept> find(PageId id);

    /** Whether {@link #find} would most likely find the page. It does not change what is kept. */
    default boolean holds(PageId id) {
        return false;
    }

    /** Takes a page that was just read from the store or written to it. The bytes may be written later. */
    void keep(PageId id, Kept page);

    /** Drops a page that the store no longer has, or whose bytes are not a page. */
    void drop(PageId id);

    TierStats stats();

    /** Releases local resources; the pages stay for the next opening. */
    @Override
    void close();
}
