package io.penstock.core.pool.disk;

import io.penstock.core.PageId;
import io.penstock.core.task.MemoryLock;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The index of the tier's pages: their sizes, and the order of their eviction. That order is first in, first out, with
 * one more round for a page that was found since. It depends on the calls alone.
 *
 * <p>A page is <em>busy</em> while its file is written or removed, so that no two tasks do so at once. Safe for use by
 * many threads; its lock guards memory, no file is touched under it.
 */
final class TierIndex {
    private final long bytesMax;
    private final MemoryLock lock = new MemoryLock();
    private final LinkedHashMap<PageId, Entry> entries = new LinkedHashMap<>();
    private final Set<PageId> busy = new HashSet<>();

    /** The bytes of files that exist, and of files with reserved room. */
    private long bytes;

    private long evictions;

    TierIndex(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    private static final class Entry {
        private final long bytes;
        private boolean found;

        Entry(long bytes) {
            this.bytes = bytes;
        }
    }

    /** Adds a file that an earlier process left. */
    void adopt(PageId id, long length) {
        lock.run(() -> {
            entries.put(id, new Entry(length));
            bytes += length;
        });
    }

    /** Whether the page has a file, which then gets another round. */
    boolean touch(PageId id) {
        return lock.with(() -> {
            Entry entry = entries.get(id);
            if (entry != null) {
                entry.found = true;
            }
            return entry != null;
        });
    }

    boolean holds(PageId id) {
        return lock.with(() -> entries.containsKey(id));
    }

    /**
     * Reserves room for a page's file, and makes the page busy.
     *
     * @return false when the page is busy, or the file too large: nothing must be written
     */
    boolean reserve(PageId id, long length) {
        return lock.with(() -> {
            if (length > bytesMax || !busy.add(id)) {
                return false;
            }
            bytes += length;
            return true;
        });
    }

    /** Ends a reservation: the file exists now, or ({@code written} false) will not. */
    void settle(PageId id, long length, boolean written) {
        lock.run(() -> {
            busy.remove(id);
            if (!written) {
                bytes -= length;
                return;
            }
            Entry former = entries.remove(id);
            entries.put(id, new Entry(length));
            bytes -= former == null ? 0 : former.bytes;
        });
    }

    /** A page to evict for lack of room, now busy: its file must be removed. Null when there is room. */
    @Nullable
    PageId evict() {
        return lock.with(() -> {
            // Each page gets at most one more round, so two rounds find one that is not busy, if there is any.
            for (int left = 2 * entries.size(); bytes > bytesMax && left > 0; left--) {
                Map.Entry<PageId, Entry> first = entries.firstEntry();
                PageId id = first.getKey();
                if (first.getValue().found || busy.contains(id)) {
                    first.getValue().found = false;
                    entries.putLast(id, first.getValue());
                } else {
                    evictions++;
                    busy.add(id);
                    return id;
                }
            }
            return null;
        });
    }

    /** Makes a page busy whose file is to be removed; false when it is busy already, or not here. */
    boolean beginRemoval(PageId id) {
        return lock.with(() -> entries.containsKey(id) && busy.add(id));
    }

    /** Ends a removal: the page's file is gone. */
    void removed(PageId id) {
        lock.run(() -> {
            busy.remove(id);
            Entry entry = entries.remove(id);
            bytes -= entry == null ? 0 : entry.bytes;
        });
    }

    /** Ends a removal that failed: the page's file is still there. */
    void stays(PageId id) {
        lock.run(() -> busy.remove(id));
    }

    /** Whether all reservations fit. */
    boolean hasRoom() {
        return bytes() <= bytesMax;
    }

    long bytes() {
        return lock.with(() -> bytes);
    }

    int pages() {
        return lock.with(() -> entries.size());
    }

    long evictions() {
        return lock.with(() -> evictions);
    }
}
