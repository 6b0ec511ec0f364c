package io.penstock.core.pool;

import io.penstock.core.task.MemoryLock;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that the pages of several pools may take together: those of all stores of a process that were opened with
 * the same settings. A pool that grows beyond it takes room from pools that nobody reads, and from the largest one if
 * all are read.
 *
 * <p>Safe for use by many threads. Its lock is taken before those of the pools, never under one.
 */
public final class PoolRoom {
    private final long bytesMax;
    private final AtomicLong used = new AtomicLong();
    private final MemoryLock lock = new MemoryLock();

    /** The pools, as the hand of a clock meets them. */
    private final ArrayDeque<Member> members = new ArrayDeque<>();

    /** @param bytesMax an estimate of the heap, which has overhead beside the pages */
    public PoolRoom(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** A pool, and the number of its lookups when the hand last met it. */
    private static final class Member {
        private final BufferPool pool;
        private long lookups;

        Member(BufferPool pool) {
            this.pool = pool;
        }

        boolean wasReadSince() {
            long before = lookups;
            lookups = pool.lookups();
            return lookups != before;
        }
    }

    public long bytesMax() {
        return bytesMax;
    }

    /** The bytes in use by all pools. */
    public long used() {
        return used.get();
    }

    void join(BufferPool pool) {
        lock.run(() -> members.addLast(new Member(pool)));
    }

    void leave(BufferPool pool) {
        lock.run(() -> members.removeIf(member -> member.pool == pool));
    }

    /** Counts bytes that a pool has more than before, or less. */
    void charge(long bytes) {
        used.addAndGet(bytes);
    }

    /** Makes room where there is too little. */
    void settle() {
        if (used.get() > bytesMax) {
            lock.run(this::evict);
        }
    }

    private void evict() {
        int unread = members.size();
        for (long surplus = used.get() - bytesMax; surplus > 0 && unread > 0; surplus = used.get() - bytesMax) {
            Member next = members.removeFirst();
            members.addLast(next);
            unread--;
            if (!next.wasReadSince()) {
                next.pool.parts().clear(); // they are bounded for each pool, so those of many add up
                next.pool.shrink(surplus);
            }
        }
        long surplus = used.get() - bytesMax;
        if (surplus > 0) {
            members.stream()
                    .map(member -> member.pool)
                    .max(Comparator.comparingLong(BufferPool::bytes))
                    .ifPresent(largest -> largest.shrink(surplus));
        }
    }
}
