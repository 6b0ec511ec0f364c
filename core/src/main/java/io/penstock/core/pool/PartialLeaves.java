package io.penstock.core.pool;

import io.penstock.core.PageId;
import io.penstock.core.page.Origin;
import io.penstock.core.task.MemoryLock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parts of large leaves that a pool holds in addition to its pages: at most an eighth of its room, in
 * least-recently-used order. A leaf is dropped as soon as the pool gets the whole page, or learns that it was split or
 * taken over, so that parts are never older than what the client has seen.
 *
 * <p>Safe for use by many threads; its lock guards memory only, and no other lock is taken under it.
 */
final class PartialLeaves {
    /** The share of the pool's room. */
    private static final int SHARE = 8;

    private final long bytesMax;
    private final MemoryLock lock = new MemoryLock();
    private final LinkedHashMap<PageId, PartialLeaf> leaves = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    PartialLeaves(PoolSettings settings) {
        this.bytesMax = settings.bytesMax() / SHARE;
    }

    @Nullable
    PartialLeaf find(PageId id) {
        lock.lock();
        try {
            return leaves.get(id);
        } finally {
            lock.unlock();
        }
    }

    /** Adds a leaf whose head was just read. */
    void put(PartialLeaf leaf) {
        lock.lock();
        try {
            drop(leaf.id());
            leaves.put(leaf.id(), leaf);
            bytes += leaf.bytes();
            evict();
        } finally {
            lock.unlock();
        }
    }

    PartialLeaf.@Nullable Excerpt find(PartialLeaf leaf, int block) {
        lock.lock();
        try {
            return leaf.find(block);
        } finally {
            lock.unlock();
        }
    }

    PartialLeaf.@Nullable Span plan(PartialLeaf leaf, int block, boolean leftward, int blockBytes) {
        lock.lock();
        try {
            return leaf.plan(block, leftward, blockBytes);
        } finally {
            lock.unlock();
        }
    }

    void add(PartialLeaf leaf, PartialLeaf.Excerpt excerpt) {
        lock.lock();
        try {
            boolean here = leaves.get(leaf.id()) == leaf;
            if (leaf.add(excerpt) && here) {
                bytes += excerpt.image().bytes().length();
                evict();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Drops the parts of a page that the pool now has whole, and of the pages that it declares outdated. */
    void learn(PageFrame frame) {
        lock.lock();
        try {
            PageId id = frame.image().id();
            drop(id);
            for (Origin old : frame.image().header().outdated()) {
                drop(new PageId(id.tree(), old.page()));
            }
        } finally {
            lock.unlock();
        }
    }

    void forget(PageId id) {
        lock.lock();
        try {
            drop(id);
        } finally {
            lock.unlock();
        }
    }

    void clear() {
        lock.lock();
        try {
            leaves.clear();
            bytes = 0;
        } finally {
            lock.unlock();
        }
    }

    private void drop(PageId id) {
        PartialLeaf gone = leaves.remove(id);
        bytes -= gone == null ? 0 : gone.bytes();
    }

    private void evict() {
        while (bytes > bytesMax && !leaves.isEmpty()) {
            Map.Entry<PageId, PartialLeaf> eldest = leaves.firstEntry();
            drop(eldest.getKey());
        }
    }
}
