package io.penstock.core.pool;

import io.penstock.core.PageId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import org.jspecify.annotations.Nullable;

/**
 * S3-FIFO: which page goes when room is short. Not thread-safe; the pool's lock guards it, but for {@link Node#touch}.
 *
 * <p>A new page enters the small queue. What was not read again by the time it reaches the end leaves the pool, and
 * only its name is remembered, in the ghost queue; so one large scan flows through the small queue and leaves the rest
 * alone. What was read again, or comes back while its name is remembered, goes to the main queue, whose pages get
 * another round for each time they were read, up to three. To be fetched ahead is not to be read.
 *
 * <p>After Yang, Zhang, Qiu, Yue, Vinayak, "FIFO queues are all you need for cache eviction" (SOSP 2023).
 */
final class EvictionOrder {
    /** The small queue's share of the room, as the paper found best. */
    private static final int SMALL_SHARE_PERCENT = 10;

    /** Heap bytes of a page beside its encoded bytes: node, frame, image, header, map entry; about. */
    private static final int NODE_OVERHEAD_BYTES = 512;

    private static final int FREQUENCY_MAX = 3;

    /** The frequency of a page that was fetched ahead and not read yet; 0: it was read once. */
    private static final int UNUSED = -1;

    /** Names remembered, at least, so that a pool of few pages learns too. */
    private static final int GHOSTS_MIN = 16;

    private final long bytesMax;
    private final ArrayDeque<Node> small = new ArrayDeque<>();
    private final ArrayDeque<Node> main = new ArrayDeque<>();
    private final LinkedHashSet<PageId> ghosts = new LinkedHashSet<>();
    private long smallBytes;
    private long mainBytes;
    private long evictions;

    EvictionOrder(long bytesMax) {
        this.bytesMax = bytesMax;
    }

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

        Node(PageId id, PageFrame frame) {
            this.id = id;
            this.frame = frame;
            this.bytes = cost(frame);
        }

        PageFrame frame() {
            return frame;
        }

        /** Counts a read. Two at once may count as one: the count is a hint. */
        void touch() {
            int seen = (int) FREQUENCY.getOpaque(this);
            if (seen < FREQUENCY_MAX) {
                FREQUENCY.setOpaque(this, seen + 1);
            }
        }

        /** Takes one read back: who has read the page did so for another, whose read is the one that counts. */
        void expect() {
            FREQUENCY.setOpaque(this, Math.max(UNUSED, (int) FREQUENCY.getOpaque(this) - 1));
        }

        private static long cost(PageFrame frame) {
            return frame.image().heapBytes() + NODE_OVERHEAD_BYTES;
        }
    }

    Node add(PageId id, PageFrame frame) {
        Node node = new Node(id, frame);
        node.inMain = ghosts.remove(id);
        queueOf(node).addLast(node);
        charge(node, node.bytes);
        return node;
    }

    void replace(Node node, PageFrame frame) {
        long bytes = Node.cost(frame);
        charge(node, bytes - node.bytes);
        node.bytes = bytes;
        node.frame = frame;
    }

    /** Takes a page out; its place in the queue is dropped when the queue gets there. */
    void remove(Node node) {
        node.removed = true;
        charge(node, -node.bytes);
    }

    void clear() {
        small.clear();
        main.clear();
        ghosts.clear();
        smallBytes = 0;
        mainBytes = 0;
    }

    /** The page that has to go next, already taken out; null when there is room. */
    @Nullable
    PageId evict() {
        while (bytes() > bytesMax) {
            boolean fromSmall = mainBytes == 0 || smallBytes > bytesMax / 100 * SMALL_SHARE_PERCENT;
            Node victim = fromSmall ? passSmall() : passMain();
            if (victim != null) {
                evictions++;
                return victim.id;
            }
        }
        return null;
    }

    private @Nullable Node passSmall() {
        Node node = small.pollFirst();
        if (node == null || node.removed) {
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

    private @Nullable Node passMain() {
        Node node = main.pollFirst();
        if (node == null || node.removed) {
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

    private ArrayDeque<Node> queueOf(Node node) {
        return node.inMain ? main : small;
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

    long evictions() {
        return evictions;
    }
}
