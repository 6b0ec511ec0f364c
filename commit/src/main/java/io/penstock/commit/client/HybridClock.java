package io.penstock.commit.client;

import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.task.MemoryLock;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A hybrid logical clock (Kulkarni et al., OPODIS 2014). It follows the wall clock, and is never earlier than a stamp
 * that it has seen, so that a change is always newer than what its transaction has read. A stamp from the future, which
 * only a program with a wrong clock can have drawn, does not move it, and so is not spread. Safe for use by many
 * threads.
 *
 * <p>Stamps of the future can be recognized only once a server has told its time, and reads do not wait for that. So
 * stamps that look like it are kept, and looked at again before the next stamp is drawn.
 */
public final class HybridClock implements StampObserver {
    /**
     * The multiplier of a hash: 2^64 over the golden ratio, odd: the high bits of its product with a number depend on
     * all bits of the number.
     */
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    /** The bits of chance in a stamp of the present millisecond; half of the counter is left to count on. */
    private static final int WALL_BITS = Stamp.COUNTER_BITS - 1;

    /** The bits of chance in a step from the last stamp: over 100 stamps are drawn in a millisecond before time is. */
    private static final int STEP_BITS = 10;

    /** The most stamps from the future that are kept: the lowest are let go, as a higher one stands for them. */
    private static final int AHEAD_MAX = 1_000;

    private final LongSupplier wallMillis;
    private final LongSupplier stampMillis;
    private final LongSupplier latestMillis;
    private final LongSupplier nanos;

    private final MemoryLock lock = new MemoryLock();

    /** The times seen that were from the future, as in {@link Stamp#time}. Guarded by the lock. */
    private final TreeSet<Long> ahead = new TreeSet<>();

    private volatile boolean isAnyAhead;

    /** The newest time drawn or seen, as in {@link Stamp#time}. */
    private final AtomicLong newest = new AtomicLong();

    /** Creates a clock that follows every stamp. */
    public HybridClock(LongSupplier wallMillis) {
        this(wallMillis, wallMillis, () -> Long.MAX_VALUE, () -> 0);
    }

    /**
     * @param wallMillis this machine's time, in milliseconds since 1970; it should not step
     * @param stampMillis this machine's time for stamps, in milliseconds since 1970; it may fail, and then no stamp is
     *     drawn
     * @param latestMillis the latest time that a right clock may show now
     * @param nanos a monotonic clock, as in {@code System.nanoTime}
     */
    public HybridClock(
            LongSupplier wallMillis, LongSupplier stampMillis, LongSupplier latestMillis, LongSupplier nanos) {
        this.wallMillis = wallMillis;
        this.stampMillis = stampMillis;
        this.latestMillis = latestMillis;
        this.nanos = nanos;
    }

    /** Returns this machine's time, in milliseconds since 1970, whatever stamps were seen. */
    public long wallMillis() {
        return wallMillis.getAsLong();
    }

    /**
     * Draws a stamp that is newer than every stamp drawn from or shown to this clock.
     *
     * <p>Until two clones of a process find out about each other they are one client, may draw within one millisecond,
     * and may have seen the same stamps. What the nanoseconds add keeps their stamps apart, but for one in a thousand.
     */
    public Stamp next(ClientId client) {
        lookAgain();
        long apart = nanos.getAsLong() * GOLDEN_RATIO;
        long wall = (stampMillis.getAsLong() << Stamp.COUNTER_BITS) + (apart >>> -WALL_BITS);
        long step = 1 + (apart >>> -STEP_BITS);
        long drawn = newest.updateAndGet(last -> Math.max(last + step, wall));
        return new Stamp(drawn, client);
    }

    /** A time that no stamp drawn from or shown to this clock is newer than, as in {@link Stamp#time}. */
    public long newest() {
        lookAgain();
        return Math.max(newest.get(), wallMillis.getAsLong() << Stamp.COUNTER_BITS);
    }

    /** The time of {@link #newest}, in milliseconds since 1970. */
    public long newestMillis() {
        return newest() >>> Stamp.COUNTER_BITS;
    }

    /**
     * Advances this clock to the time of a stamp that was read, as in {@link Stamp#time}. Returns false if that is from
     * the future.
     */
    @Override
    public boolean observe(long time) {
        if (time > newest.get()) {
            if (time >>> Stamp.COUNTER_BITS > latestMillis.getAsLong()) {
                keep(time);
                return false;
            }
            newest.accumulateAndGet(time, Math::max);
        }
        return true;
    }

    private void keep(long time) {
        lock.run(() -> {
            ahead.add(time);
            if (ahead.size() > AHEAD_MAX) {
                ahead.pollFirst();
            }
            isAnyAhead = true;
        });
    }

    private void lookAgain() {
        if (!isAnyAhead) {
            return;
        }
        long latest = latestMillis.getAsLong();
        lock.run(() -> {
            while (!ahead.isEmpty() && ahead.first() >>> Stamp.COUNTER_BITS <= latest) {
                newest.accumulateAndGet(ahead.pollFirst(), Math::max);
            }
            isAnyAhead = !ahead.isEmpty();
        });
    }
}
