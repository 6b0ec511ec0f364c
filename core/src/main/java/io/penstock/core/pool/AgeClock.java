package io.penstock.core.pool;

import io.penstock.core.task.Timekeeper;
import org.jspecify.annotations.Nullable;

/**
 * A clock for the age of pages, which also counts the time that the machine was suspended. It advances by the monotonic
 * clock, which may stand still meanwhile; where the wall clock has advanced by much more, it takes that. A wall clock
 * that is set forward thus makes every page due once, and one that is set back has no effect. Safe for use by many
 * threads.
 */
final class AgeClock {
    /** The least time by which the wall clock must get ahead: far more than clocks drift in a while. */
    private static final long SLEEP_NANOS = 1_000_000_000L;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    /** The time that the program runs after a sleep until it notices the sleep, in nanoseconds. */
    private static final long LOOK_NANOS = NANOS_PER_MILLI;

    /** Two threads may set it at once: they have read the same clocks. */
    private volatile @Nullable Anchor anchor;

    /**
     * The time at which the wall clock was read last, by the monotonic clock; to read both each time would cost twice
     * as much.
     */
    private volatile long lookedNanos;

    /** Readings of both clocks at one time, and what was added to the monotonic one by then. */
    private record Anchor(long nanos, long millis, long added) {
        long aheadNanos(long nowNanos, long nowMillis) {
            return (nowMillis - millis) * NANOS_PER_MILLI - (nowNanos - nanos);
        }
    }

    /** The time in nanoseconds, for comparison with other readings of this clock. */
    long nanoTime(Timekeeper time) {
        long nanos = time.nanoTime();
        Anchor last = anchor;
        if (last == null || nanos - lookedNanos >= LOOK_NANOS) {
            last = look(last, nanos, time.nowMillis());
            anchor = last;
            lookedNanos = nanos;
        }
        return nanos + last.added;
    }

    private static Anchor look(@Nullable Anchor last, long nanos, long millis) {
        if (last == null) {
            return new Anchor(nanos, millis, 0);
        }
        long ahead = last.aheadNanos(nanos, millis);
        boolean slept = Math.abs(ahead) > SLEEP_NANOS;
        return slept ? new Anchor(nanos, millis, last.added + Math.max(0, ahead)) : last;
    }
}
