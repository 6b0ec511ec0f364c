package io.penstock.core.pool;

import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.page.Origin;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A byte-bounded cache of pages, shared by all {@link PageManager}s of a client. For each page it only moves forward:
 * an older version never replaces a newer one.
 *
 * <p>Safe for use by many threads. A lookup takes no lock; a change takes one for a few memory operations. Eviction is
 * deterministic: it depends on the order of the calls alone (see {@link EvictionOrder}).
 */
public final class BufferPool {
    /** The time for which a tree is taken for empty before its pages are listed again, in nanoseconds. */
    private static final long EMPTY_NANOS = Duration.ofMinutes(10).toNanos();

    /**
     * The least time, in nanoseconds, for which a page counts for readers that learn of changes ({@link
     * PageManager#told}).
     */
    private static final long TOLD_NANOS = Duration.ofMinutes(5).toNanos();

    /** The maximum number of empty trees that are remembered. */
    private static final int EMPTY_MAX = 10_000;

    private final PoolRoom room;
    private final PageTier tier;
    private final long ttlNanos;

    /** The age from which no reader takes a page without asking. */
    private final long ageMaxNanos;

    private final AgeClock clock = new AgeClock();
    private final PartialLeaves parts;
    private final ConcurrentHashMap<PageId, EvictionOrder.Node> nodes = new ConcurrentHashMap<>();
    private final MemoryLock lock = new MemoryLock();
    private final EvictionOrder order = new EvictionOrder();

    /** The bytes of the order that the room knows of. */
    private long charged;

    private boolean closed;
    private final List<PoolWatcher> watchers = new CopyOnWriteArrayList<>();

    /** The trees that were found without any page, and the times of that. */
    private final ConcurrentHashMap<TreeId, Long> empty = new ConcurrentHashMap<>();

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder revalidations = new LongAdder();
    private final AtomicReference<@Nullable PageId> copied = new AtomicReference<>();
    private final CheckAgain again;

    /** Creates a pool with a room of its own. */
    public BufferPool(long bytesMax, Duration ttl) {
        this(new PoolRoom(bytesMax), ttl, PageTier.NONE);
    }

    /**
     * Creates a pool over a second level, which the pool does not close.
     *
     * @param room perhaps of other pools too
     * @param ttl the time for which a page is used without asking the store whether it changed
     */
    public BufferPool(PoolRoom room, Duration ttl, PageTier tier) {
        this.room = room;
        this.tier = tier;
        this.ttlNanos = ttl.toNanos();
        this.ageMaxNanos = Math.max(ttlNanos, TOLD_NANOS);
        this.again = new CheckAgain(ageMaxNanos);
        this.parts = new PartialLeaves(room.bytesMax());
        room.join(this);
    }

    /** The most bytes of pages that this pool keeps, and others of its room with it; an estimate of the heap. */
    public long bytesMax() {
        return room.bytesMax();
    }

    /**
     * Returns the time by which the age of pages is measured. One clock, since all managers of a pool share its pages.
     */
    long nanoTime(Timekeeper time) {
        return clock.nanoTime(time);
    }

    /** The second level. */
    public PageTier tier() {
        return tier;
    }

    void watch(PoolWatcher watcher) {
        watchers.add(watcher);
    }

    /** The parts of leaves that were not read whole. */
    PartialLeaves parts() {
        return parts;
    }

    /** The time for which a page is used without asking the store whether it changed, in nanoseconds. */
    public long ttlNanos() {
        return ttlNanos;
    }

    long ageMaxNanos() {
        return ageMaxNanos;
    }

    /** The pooled page, even one that is due for a check ({@link #isDue}); or null. */
    @Nullable
    PageFrame find(PageId id) {
        EvictionOrder.Node node = nodes.get(id);
        if (node == null) {
            misses.increment();
            return null;
        }
        hits.increment();
        node.touch();
        return node.frame();
    }

    /**
     * Finds a page that is not due, and does not count the lookup; {@link #countHits} does that.
     *
     * @param oldest the time of the last check from which a page counts by its age
     */
    @Nullable
    PageFrame findYoung(PageId id, long oldest) {
        EvictionOrder.Node node = nodes.get(id);
        if (node == null) {
            return null;
        }
        PageFrame frame = node.frame();
        if (isDue(id, frame.checkedNanos(), oldest)) {
            return null;
        }
        node.touch();
        return frame;
    }

    /** Counts the lookups by {@link #findYoung} of a read that needed nothing else. */
    void countHits(int lookups) {
        hits.add(lookups);
    }

    /** Finds a page without an effect on counters and frequencies. */
    @Nullable
    PageFrame peek(PageId id) {
        EvictionOrder.Node node = nodes.get(id);
        return node == null ? null : node.frame();
    }

    /** Makes the next read of a page that was fetched ahead count as its first. */
    public void expect(PageId id) {
        EvictionOrder.Node node = nodes.get(id);
        if (node != null) {
            node.expect();
        }
    }

    /**
     * Whether the store must be asked before a page is used.
     *
     * @param checkedNanos when it was asked last
     * @param oldest the time of the last check from which a page counts by its age
     */
    boolean isDue(PageId id, long checkedNanos, long oldest) {
        return checkedNanos - oldest < 0 || again.isDue(id.tree(), checkedNanos, oldest);
    }

    /**
     * Invalidates every pooled page of a tree that was last validated at or before {@code nanos}. When this returns, no
     * read that begins returns an older one.
     *
     * @param nanos a time by {@link PageManager#nanoTime}, not in the future
     */
    public void checkAgain(TreeId tree, long nanos) {
        lock.run(() -> again.add(tree, nanos));
        watchers.forEach(watcher -> watcher.onInvalidate(page -> page.tree().equals(tree)));
    }

    /** Invalidates every pooled page of all trees that was last validated at or before {@code nanos}. */
    public void checkAgain(long nanos) {
        lock.run(() -> again.addAll(nanos));
        watchers.forEach(watcher -> watcher.onInvalidate(page -> true));
    }

    void countRevalidation() {
        revalidations.increment();
    }

    /** Notes a page whose object was copied or restored; returns whether it is the first. */
    boolean noteCopied(PageId id) {
        return copied.compareAndSet(null, id);
    }

    /** The first page that was read of an object that was copied or restored. */
    public Optional<PageId> firstCopied() {
        return Optional.ofNullable(copied.get());
    }

    /**
     * Takes a page that was just read or written, unless the pool has a newer version. Images that the page declares
     * outdated become due for a check.
     *
     * @param begun the pool's {@link #mark} when the read or write began. If pages that came later are gone again, a
     *     newer version may be among them: then the page is due for a check, so that no read goes back for a TTL
     * @return the newest known image of the page
     */
    PageFrame offer(PageFrame frame, long begun) {
        // Before any caller can see the page.
        parts.learn(frame);
        watchers.forEach(watcher -> watcher.seen(frame.image().id()));
        PageFrame newest = lock.with(() -> {
            PageFrame placed = place(frame, begun);
            for (Origin old : frame.image().header().outdated()) {
                outdate(frame.image().id().tree(), old, frame.checkedNanos());
            }
            // Whatever page it is: a root that goes missing from now on is lost. A ledger shows one too.
            empty.remove(frame.image().id().tree());
            evict(bytesMax());
            charge();
            return placed;
        });
        room.settle();
        return newest;
    }

    /** A mark of now, for {@link #offer}. */
    long mark() {
        return order.mark();
    }

    private PageFrame place(PageFrame frame, long begun) {
        PageId id = frame.image().id();
        EvictionOrder.Node node = nodes.get(id);
        if (node == null) {
            boolean mayBeOld = order.goneMark() > begun;
            nodes.put(id, order.add(id, mayBeOld ? frame.checkedAt(frame.checkedNanos() - ageMaxNanos - 1) : frame));
            return frame;
        }
        PageFrame known = node.frame();
        boolean checkedLater = known.checkedNanos() - frame.checkedNanos() >= 0;
        if (known.image().version() > frame.image().version()) {
            // The store was asked, although its answer is older: it is not asked again before the TTL.
            PageFrame newest = checkedLater ? known : known.checkedAt(frame.checkedNanos());
            order.replace(node, newest);
            return newest;
        }
        if (checkedLater && known.version().equals(frame.version())) {
            return known;
        }
        order.replace(node, frame);
        return frame;
    }

    /** Marks a page as due for a check if its image is no newer than a version declared outdated. */
    void distrust(TreeId tree, Origin old, long nowNanos) {
        parts.forget(new PageId(tree, old.page()));
        lock.run(() -> outdate(tree, old, nowNanos));
    }

    private void outdate(TreeId tree, Origin old, long nowNanos) {
        EvictionOrder.Node node = nodes.get(new PageId(tree, old.page()));
        if (node != null && node.frame().image().version() <= old.version()) {
            long due = nowNanos - ageMaxNanos - 1;
            order.replace(node, node.frame().checkedAt(due));
        }
    }

    private void evict(long most) {
        for (PageId victim = order.evict(most); victim != null; victim = order.evict(most)) {
            nodes.remove(victim);
        }
    }

    /** Tells the room what has changed. Under the lock. */
    private void charge() {
        long now = closed ? 0 : order.bytes();
        room.charge(now - charged);
        charged = now;
    }

    /** Gives up this many bytes of pages, as far as there are so many. */
    void shrink(long bytes) {
        lock.run(() -> {
            evict(Math.max(0, order.bytes() - bytes));
            charge();
        });
    }

    /** The bytes of the pages. */
    long bytes() {
        return lock.with(order::bytes);
    }

    /** The lookups so far. */
    long lookups() {
        return hits.sum() + misses.sum();
    }

    /** Leaves the room to others. The pool can still be read. */
    public void close() {
        lock.run(() -> {
            closed = true;
            charge();
        });
        room.leave(this);
    }

    /** Drops a page that the store no longer has, unless the pool moved on since {@code seen} was read from it. */
    void forget(PageId id, @Nullable PageFrame seen) {
        lock.run(() -> {
            EvictionOrder.Node node = nodes.get(id);
            if (node != null && node.frame() == seen) {
                order.remove(node);
                nodes.remove(id);
                charge();
            }
        });
    }

    /** Whether a tree was found to be empty, without a root that was lost, not long ago. */
    public boolean isKnownEmpty(TreeId tree, long nowNanos) {
        Long since = empty.get(tree);
        return since != null && nowNanos - since <= Math.max(ttlNanos, EMPTY_NANOS);
    }

    /** Takes note of a tree that is empty. */
    public void learnEmpty(TreeId tree, long nowNanos) {
        if (empty.size() >= EMPTY_MAX) {
            empty.clear();
        }
        empty.put(tree, nowNanos);
        if (peek(PageId.root(tree)) != null) {
            empty.remove(tree); // the root was written during the look
        }
    }

    /** Drops every page; counters stay. */
    public void clear() {
        parts.clear();
        empty.clear();
        lock.run(() -> {
            nodes.clear();
            order.clear();
            charge();
        });
    }

    /** The pages that are on the heap, including those forgotten. */
    int queued() {
        return lock.with(() -> order.queued());
    }

    public PoolStats stats() {
        return lock.with(() -> new PoolStats(
                hits.sum(), misses.sum(), revalidations.sum(), order.evictions(), nodes.size(), order.bytes()));
    }

    /**
     * The trees whose pages are due although they are young: a page of such a tree counts only if the store was asked
     * after a certain time. Many threads may look; those that add hold a lock of their own.
     */
    private static final class CheckAgain {
        /** The number of trees that are remembered before the first look for those that no longer matter. */
        private static final int TREES_MIN = 1_000;

        private final long ageMaxNanos;
        private final ConcurrentHashMap<TreeId, Long> after = new ConcurrentHashMap<>();

        /** The time for all trees; null: none. */
        private volatile @Nullable Long all;

        /** The newest of these times; null: none. */
        private volatile @Nullable Long newest;

        /** The number of trees at which those are left out whose time is long ago. */
        private int treesMax = TREES_MIN;

        /** @param ageMaxNanos the age from which all pages are due anyway */
        CheckAgain(long ageMaxNanos) {
            this.ageMaxNanos = ageMaxNanos;
        }

        void add(TreeId tree, long nanos) {
            after.merge(tree, nanos, CheckAgain::later);
            newest = later(nanos, newest);
            if (after.size() > treesMax) {
                after.values().removeIf(time -> time - (nanos - ageMaxNanos) < 0);
                treesMax = Math.max(TREES_MIN, after.size() * 2);
            }
        }

        /** Adds a time for all trees. */
        void addAll(long nanos) {
            all = later(nanos, all);
            newest = later(nanos, newest);
        }

        private static Long later(Long nanos, @Nullable Long known) {
            return known == null || nanos - known > 0 ? nanos : known;
        }

        /** @param oldest the time of the last check from which a page counts by its age */
        boolean isDue(TreeId tree, long checkedNanos, long oldest) {
            Long last = newest;
            if (last == null || last - oldest < 0) {
                return false;
            }
            return isAfter(all, checkedNanos) || isAfter(after.get(tree), checkedNanos);
        }

        private static boolean isAfter(@Nullable Long time, long checkedNanos) {
            // At the same moment the store may have been asked before.
            return time != null && checkedNanos - time <= 0;
        }
    }
}
