package io.penstock.core.task;

import java.time.Duration;

/** A clock and a sleep. Safe for use by many threads. */
public interface Timekeeper {
    /** The wall clock: milliseconds since 1970. May jump and may be wrong; no safety may rest on it. */
    long nowMillis();

    /** A clock that only moves forward, in nanoseconds from an arbitrary start: for measuring how long things take. */
    long nanoTime();

    /** Returns after {@code duration}, at once when it is not positive. */
    void sleep(Duration duration);
}
