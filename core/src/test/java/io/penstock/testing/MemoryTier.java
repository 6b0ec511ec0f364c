package io.penstock.testing;

import io.penstock.core.PageId;
import io.penstock.core.pool.PageTier;
import io.penstock.core.pool.TierStats;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A second level of the pool in memory, without tasks of its own: what a disk may do, as a pure function of a seed. It
 * survives {@link #close}, as files do, and forgets now and then, as a disk that is full or damaged does. Thread-safe.
 */
public final class MemoryTier implements PageTier {
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<PageId, Kept> pages = new LinkedHashMap<>();
    private final SplittableRandom random;
    private final int pagesMax;
    private final double loss;
    private long hits;
    private long misses;
    private long bytesRead;
    private long evictions;

    /** @param loss how often a page that is looked for turns out to be damaged, or one to be kept is not written */
    public MemoryTier(long seed, int pagesMax, double loss) {
        this.random = new SplittableRandom(seed);
        this.pagesMax = pagesMax;
        this.loss = loss;
    }

    @Override
    public Optional<Kept> find(PageId id) {
        lock.lock();
        try {
            Kept kept = isLost() ? null : pages.get(id);
            if (kept == null) {
                misses++;
                pages.remove(id);
                return Optional.empty();
            }
            hits++;
            bytesRead += kept.bytes().length();
            return Optional.of(kept);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean holds(PageId id) {
        lock.lock();
        try {
            return pages.containsKey(id);
        } finally {
            lock.unlock();
        }
    }

    private boolean isLost() {
        return random.nextDouble() < loss;
    }

    @Override
    public void keep(PageId id, Kept page) {
        lock.lock();
        try {
            if (!isLost()) {
                pages.putLast(id, page);
            }
            while (pages.size() > pagesMax) {
                evictions++;
                pages.pollFirstEntry();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void drop(PageId id) {
        lock.lock();
        try {
            pages.remove(id);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public TierStats stats() {
        lock.lock();
        try {
            long bytes = pages.values().stream()
                    .mapToLong(kept -> kept.bytes().length())
                    .sum();
            return new TierStats(hits, misses, bytesRead, 0, evictions, 0, pages.size(), bytes);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {}
}
