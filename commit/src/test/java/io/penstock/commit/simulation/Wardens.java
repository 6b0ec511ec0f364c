package io.penstock.commit.simulation;

import java.time.Duration;

/**
 * Machines that only administer the store, as long as users are at work and until the last of these counts as dead:
 * they recover others and checkpoint all queues, again and again, all in step.
 *
 * @param every the time between two sweeps of each
 */
record Wardens(int count, Duration every) {
    static final Wardens NONE = new Wardens(0, Duration.ZERO);

    Wardens withCount(int next) {
        return new Wardens(next, every);
    }
}
