package io.penstock.commit.client;

import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.task.Timekeeper;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A hybrid logical clock (Kulkarni et al., OPODIS 2014): follows the wall clock, and never falls behind a stamp it has
 * seen, so that a change is always newer than what its transaction has read. Safe for use by many threads.
 */
public final class HybridClock {
    private final Timekeeper time;

    /** The newest reading drawn or seen, as in {@link Stamp#time}. */
    private final AtomicLong newest = new AtomicLong();

    public HybridClock(Timekeeper time) {
        this.time = time;
    }

    /** A stamp newer than every stamp drawn from or shown to this clock. */
    public Stamp next(ClientId client) {
        long wall = time.nowMillis() << Stamp.COUNTER_BITS;
        long drawn = newest.updateAndGet(last -> Math.max(last + 1, wall));
        return new Stamp(drawn, client);
    }

    /** Takes notice of a stamp that was read. */
    public void observe(Stamp stamp) {
        observe(stamp.time());
    }

    /** Takes notice of the time of a stamp that was read, as in {@link Stamp#time}. */
    public void observe(long time) {
        if (time > newest.get()) {
            newest.accumulateAndGet(time, Math::max);
        }
    }
}
