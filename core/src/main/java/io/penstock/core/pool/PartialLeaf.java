package io.penstock.core.pool;

import io.penstock.core.PageId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.page.LeafHead;
import io.penstock.core.page.PageImage;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The known parts of one version of a large leaf. Not thread-safe: the lock of {@link PartialLeaves} guards it. */
final class PartialLeaf {
    /** The share of a page that a sequential reader may fetch in parts; other readers may fetch twice as much. */
    private static final int SHARE = 4;

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

    /** The same parts, found current at another time. */
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
     * The blocks to fetch for one that is missing: about {@code bytes}, doubled each time a sequential reader continues
     * at the end of its last fetch. Null when so much was fetched that the page should be read whole.
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
        long most = onward ? head.pageBytes() / SHARE : head.pageBytes() / SHARE * 2;
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
