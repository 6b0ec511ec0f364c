package io.penstock.commit.client;

import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A hybrid logical clock (Kulkarni et al., OPODIS 2014). It follows the wall clock, and never falls behind a stamp that
 * it has seen, so that a change is always newer than what its transaction has read. Safe for use by many threads.
 */
public final class HybridClock {
    private final LongSupplier wallMillis;

    /** The newest time drawn or seen, as in {@link Stamp#time}. */
    private final AtomicLong newest = new AtomicLong();

    /** @param wallMillis this machine's time, in milliseconds since 1970; it should not step */
    public HybridClock(LongSupplier wallMillis) {
        this.wallMillis = wallMillis;
    }

    /** Draws a stamp that is newer than every stamp drawn from or shown to this clock. */
    public Stamp next(ClientId client) {
        long wall = wallMillis.getAsLong() << Stamp.COUNTER_BITS;
        long drawn = newest.updateAndGet(last -> Math.max(last + 1, wall));
        return new Stamp(drawn, client);
    }

    /** Advances this clock to a stamp that was read. */
    public void observe(Stamp stamp) {
        observe(stamp.time());
    }

    /** Advances this clock to the time of a stamp that was read, as in {@link Stamp#time}. */
    public void observe(long time) {
        if (time > newest.get()) {
            newest.accumulateAndGet(time, Math::max);
        }
    }
}
