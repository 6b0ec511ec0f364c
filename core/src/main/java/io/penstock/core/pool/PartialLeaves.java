package io.penstock.core.pool;

import io.penstock.core.PageId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.page.LeafHead;
import io.penstock.core.page.Origin;
import io.penstock.core.page.PageImage;
import io.penstock.core.task.MemoryLock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
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

    PartialLeaves(long poolBytesMax) {
        this.bytesMax = poolBytesMax / SHARE;
    }

    @Nullable
    PartialLeaf find(PageId id) {
        return lock.with(() -> leaves.get(id));
    }

    /** Adds a leaf whose head was just read. */
    void put(PartialLeaf leaf) {
        lock.run(() -> {
            drop(leaf.id());
            leaves.put(leaf.id(), leaf);
            bytes += leaf.bytes();
            evict();
        });
    }

    PartialLeaf.@Nullable Excerpt find(PartialLeaf leaf, int block) {
        return lock.with(() -> leaf.find(block));
    }

    PartialLeaf.@Nullable Span plan(PartialLeaf leaf, int block, boolean leftward, int blockBytes) {
        return lock.with(() -> leaf.plan(block, leftward, blockBytes));
    }

    void add(PartialLeaf leaf, PartialLeaf.Excerpt excerpt) {
        lock.run(() -> {
            boolean here = leaves.get(leaf.id()) == leaf;
            if (leaf.add(excerpt) && here) {
                bytes += excerpt.image().bytes().length();
                evict();
            }
        });
    }

    /** Drops the parts of a page that the pool now has whole, and of the pages that it declares outdated. */
    void learn(PageFrame frame) {
        lock.run(() -> {
            PageId id = frame.image().id();
            drop(id);
            for (Origin old : frame.image().header().outdated()) {
                drop(new PageId(id.tree(), old.page()));
            }
        });
    }

    void forget(PageId id) {
        lock.run(() -> drop(id));
    }

    void clear() {
        lock.run(() -> {
            leaves.clear();
            bytes = 0;
        });
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

    /** The known parts of one version of a large leaf. Not thread-safe: the lock of its owner guards it. */
    static final class PartialLeaf {
        /** The share of a page that a sequential reader may fetch in parts; other readers may fetch twice as much. */
        private static final int PAGE_SHARE = 4;

        private final LeafHead head;
        private final ObjectVersion version;
        private final long checkedNanos;
        private final TreeMap<Integer, Excerpt> excerpts;
        private long fetchedBytes;
        private int rounds = 1;
        private int following = -1;
        private int preceding = -1;

        /** @param checkedNanos the time when the head was requested */
        PartialLeaf(LeafHead head, ObjectVersion version, long checkedNanos) {
            this(head, version, checkedNanos, new TreeMap<>(), 0);
        }

        private PartialLeaf(
                LeafHead head,
                ObjectVersion version,
                long checkedNanos,
                TreeMap<Integer, Excerpt> excerpts,
                long fetchedBytes) {
            this.head = head;
            this.version = version;
            this.checkedNanos = checkedNanos;
            this.excerpts = excerpts;
            this.fetchedBytes = fetchedBytes;
        }

        /** Blocks from {@code from} (inclusive) to {@code to} (exclusive). */
        record Span(int from, int to) {}

        /** Blocks that were fetched. */
        record Excerpt(Span span, PageImage image) {}

        /** Returns these parts as found current at another time. */
        PartialLeaf checkedAt(long nanos) {
            PartialLeaf next = new PartialLeaf(head, version, nanos, excerpts, fetchedBytes);
            next.rounds = rounds;
            next.following = following;
            next.preceding = preceding;
            return next;
        }

        PageId id() {
            return head.id();
        }

        LeafHead head() {
            return head;
        }

        ObjectVersion version() {
            return version;
        }

        long checkedNanos() {
            return checkedNanos;
        }

        long bytes() {
            return head.length() + fetchedBytes;
        }

        /** The excerpt that covers the block, or null. */
        @Nullable
        Excerpt find(int block) {
            Map.Entry<Integer, Excerpt> entry = excerpts.floorEntry(block);
            return entry == null || entry.getValue().span.to <= block ? null : entry.getValue();
        }

        /**
         * The blocks to fetch for one that is missing: about {@code bytes}, doubled each time a sequential reader
         * continues at the end of its last fetch. Null when most of the page was fetched, so that it should be read
         * whole.
         */
        @Nullable
        Span plan(int block, boolean leftward, int bytes) {
            boolean onward = leftward ? block == preceding : block == following;
            long wanted = (long) bytes * (onward ? rounds * 2L : 1);
            int from = block;
            int to = block + 1;
            while (head.heap(from, to).length() < wanted && (leftward ? from > 0 : to < head.blocks())) {
                if (find(leftward ? from - 1 : to) != null) {
                    break;
                }
                from -= leftward ? 1 : 0;
                to += leftward ? 0 : 1;
            }
            long more = head.heap(from, to).length();
            long most = onward ? head.pageBytes() / PAGE_SHARE : head.pageBytes() / PAGE_SHARE * 2;
            if (fetchedBytes + more > most) {
                return null;
            }
            rounds = onward ? rounds * 2 : 1;
            following = to;
            preceding = from - 1;
            return new Span(from, to);
        }

        /** Adds blocks, unless they are here already; returns whether it did. */
        boolean add(Excerpt excerpt) {
            if (excerpts.putIfAbsent(excerpt.span.from, excerpt) != null) {
                return false;
            }
            fetchedBytes += excerpt.image.bytes().length();
            return true;
        }
    }
}
