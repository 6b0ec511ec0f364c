package io.penstock.commit.client;

import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A hybrid logical clock (Kulkarni et al., OPODIS 2014). It follows the wall clock, and never falls behind a stamp that
 * it has seen, so that a change is always newer than what its transaction has read. A stamp from the future, which only
 * a program with a wrong clock can have drawn, does not move it, and so is not spread. Safe for use by many threads.
 */
public final class HybridClock implements StampObserver {
    private final LongSupplier wallMillis;
    private final LongSupplier latestMillis;

    /** The newest time drawn or seen, as in {@link Stamp#time}. */
    private final AtomicLong newest = new AtomicLong();

    /** Creates a clock that follows every stamp. */
    public HybridClock(LongSupplier wallMillis) {
        this(wallMillis, () -> Long.MAX_VALUE);
    }

    /**
     * @param wallMillis this machine's time, in milliseconds since 1970; it should not step
     * @param latestMillis the latest time that a right clock may show now
     */
    public HybridClock(LongSupplier wallMillis, LongSupplier latestMillis) {
        this.wallMillis = wallMillis;
        this.latestMillis = latestMillis;
    }

    /** This machine's time, in milliseconds since 1970: whatever stamps were seen. Records expire by it. */
    public long wallMillis() {
        return wallMillis.getAsLong();
    }

    /** Draws a stamp that is newer than every stamp drawn from or shown to this clock. */
    public Stamp next(ClientId client) {
        long wall = wallMillis.getAsLong() << Stamp.COUNTER_BITS;
        long drawn = newest.updateAndGet(last -> Math.max(last + 1, wall));
        return new Stamp(drawn, client);
    }

    /** A time that no stamp drawn from or shown to this clock is newer than, as in {@link Stamp#time}. */
    public long newest() {
        return Math.max(newest.get(), wallMillis.getAsLong() << Stamp.COUNTER_BITS);
    }

    /**
     * Advances this clock to the time of a stamp that was read, as in {@link Stamp#time}. Returns false if that is from
     * the future.
     */
    @Override
    public boolean observe(long time) {
        if (time > newest.get()) {
            if (time >>> Stamp.COUNTER_BITS > latestMillis.getAsLong()) {
                return false;
            }
            newest.accumulateAndGet(time, Math::max);
        }
        return true;
    }
}
