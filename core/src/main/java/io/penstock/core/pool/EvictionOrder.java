package io.penstock.core.pool;

import io.penstock.core.PageId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import org.jspecify.annotations.Nullable;

/**
 * The eviction policy of the pool: S3-FIFO, after Yang, Zhang, Qiu, Yue, Vinayak, "FIFO queues are all you need for
 * cache eviction" (SOSP 2023).
 *
 * <p>Three queues decide, each first in, first out. A new page enters the <em>small</em> queue, a tenth of the room. A
 * page that is read again before it reaches the end moves to the <em>main</em> queue; any other leaves the pool, and
 * only its name stays for a while in the <em>ghost</em> queue. A page that returns while its name is there was evicted
 * too early, and enters the main queue at once. At the end of the main queue a page gets another round for each time it
 * was read since, at most three.
 *
 * <p>This fits a tree on an object store. One large scan flows through the small queue and leaves inner pages and hot
 * leaves alone, which an LRU list would evict. A read only raises a counter, without a lock or a move in a list. And
 * the order depends on the calls alone, so that a simulation repeats it.
 *
 * <p>Two details are ours. The queues share bytes, because pages differ in size. And a page that was fetched ahead of a
 * scan has not been read: its first read does not count as its second, and if it leaves unread its name is not kept.
 *
 * <p>Not thread-safe; the pool's lock guards it, except for {@link Node#touch}.
 */
final class EvictionOrder {
    /** The small queue's share of the room: the paper's best value. */
    private static final int SMALL_SHARE_PERCENT = 10;

    /** The heap bytes of a page in addition to its encoded bytes: node, frame, image, header and map entry, roughly. */
    private static final int NODE_OVERHEAD_BYTES = 512;

    private static final int FREQUENCY_MAX = 3;

    /** The frequency of a page that was fetched ahead and not yet read; 0 means read once. */
    private static final int UNUSED = -1;

    /** The least number of names kept, so that a pool of few pages learns too. */
    private static final int GHOSTS_MIN = 16;

    /** The inverse of the share of the pages at which removed ones that wait in the queues are swept out. */
    private static final int REMOVED_SHARE = 16;

    private final ArrayDeque<Node> small = new ArrayDeque<>();
    private final ArrayDeque<Node> main = new ArrayDeque<>();
    private final LinkedHashSet<PageId> ghosts = new LinkedHashSet<>();
    private long smallBytes;
    private long mainBytes;
    private long removedBytes;
    private long evictions;

    /** The number of pages placed so far; written under the pool's lock. */
    private volatile long mark;

    private long goneMark;

    /** One pooled page. The frame is read without a lock. */
    static final class Node {
        private static final VarHandle FREQUENCY;

        static {
            try {
                FREQUENCY = MethodHandles.lookup().findVarHandle(Node.class, "frequency", int.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final PageId id;
        private volatile PageFrame frame;
        private volatile int frequency;
        private boolean inMain;
        private boolean removed;
        private long bytes;
        private long mark;

        Node(PageId id, PageFrame frame) {
            this.id = id;
            this.frame = frame;
            this.bytes = cost(frame);
        }

        PageFrame frame() {
            return frame;
        }

        /** Counts a read. Two concurrent reads may count as one: the count is a hint. */
        void touch() {
            int seen = (int) FREQUENCY.getOpaque(this);
            if (seen < FREQUENCY_MAX) {
                FREQUENCY.setOpaque(this, seen + 1);
            }
        }

        /** Takes one read back: the page was read for another reader, whose own read will count. */
        void expect() {
            FREQUENCY.setOpaque(this, Math.max(UNUSED, (int) FREQUENCY.getOpaque(this) - 1));
        }

        private static long cost(PageFrame frame) {
            return frame.image().heapBytes() + NODE_OVERHEAD_BYTES;
        }
    }

    /** A mark that grows with each page that is placed. */
    long mark() {
        return mark;
    }

    /** The mark of the newest placement of all pages that are gone. */
    long goneMark() {
        return goneMark;
    }

    private void mark(Node node) {
        node.mark = mark + 1;
        mark = node.mark;
    }

    Node add(PageId id, PageFrame frame) {
        Node node = new Node(id, frame);
        mark(node);
        node.inMain = ghosts.remove(id);
        (node.inMain ? main : small).addLast(node);
        charge(node, node.bytes);
        return node;
    }

    void replace(Node node, PageFrame frame) {
        long bytes = Node.cost(frame);
        charge(node, bytes - node.bytes);
        node.bytes = bytes;
        node.frame = frame;
        mark(node);
    }

    /** Removes a page; its place in the queue is dropped when its turn comes, or before removed pages pile up. */
    void remove(Node node) {
        node.removed = true;
        goneMark = Math.max(goneMark, node.mark);
        charge(node, -node.bytes);
        removedBytes += node.bytes;
        if (removedBytes > bytes() / REMOVED_SHARE) {
            small.removeIf(one -> one.removed);
            main.removeIf(one -> one.removed);
            removedBytes = 0;
        }
    }

    void clear() {
        small.clear();
        main.clear();
        ghosts.clear();
        smallBytes = 0;
        mainBytes = 0;
        removedBytes = 0;
        goneMark = mark;
    }

    /** The next page to evict so that the pages take at most so many bytes, already removed; null when they do. */
    @Nullable
    PageId evict(long most) {
        while (bytes() > most) {
            boolean fromSmall = mainBytes == 0 || smallBytes > most / 100 * SMALL_SHARE_PERCENT;
            Node victim = fromSmall ? passSmall() : passMain();
            if (victim != null) {
                evictions++;
                goneMark = Math.max(goneMark, victim.mark);
                return victim.id;
            }
        }
        return null;
    }

    private @Nullable Node passSmall() {
        Node node = standing(small.pollFirst());
        if (node == null) {
            return null;
        }
        charge(node, -node.bytes);
        if (node.frequency > 0) {
            node.frequency = 0;
            node.inMain = true;
            main.addLast(node);
            charge(node, node.bytes);
            return null;
        }
        if (node.frequency > UNUSED) {
            remember(node.id);
        }
        return node;
    }

    private @Nullable Node standing(@Nullable Node node) {
        if (node != null && node.removed) {
            removedBytes -= node.bytes;
            return null;
        }
        return node;
    }

    private @Nullable Node passMain() {
        Node node = standing(main.pollFirst());
        if (node == null) {
            return null;
        }
        int frequency = node.frequency;
        if (frequency > 0) {
            node.frequency = frequency - 1;
            main.addLast(node);
            return null;
        }
        charge(node, -node.bytes);
        return node;
    }

    private void remember(PageId id) {
        ghosts.add(id);
        int ghostsMax = Math.max(GHOSTS_MIN, main.size() + small.size());
        while (ghosts.size() > ghostsMax) {
            ghosts.removeFirst();
        }
    }

    private void charge(Node node, long bytes) {
        if (node.inMain) {
            mainBytes += bytes;
        } else {
            smallBytes += bytes;
        }
    }

    long bytes() {
        return smallBytes + mainBytes;
    }

    /** The pages in the queues, including removed ones. */
    int queued() {
        return small.size() + main.size();
    }

    long evictions() {
        return evictions;
    }
}
