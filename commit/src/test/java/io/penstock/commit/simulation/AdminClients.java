package io.penstock.commit.simulation;

import java.time.Duration;

/**
 * Machines that only administer the store, as long as users are at work and until the last of these counts as dead:
 * they recover others and checkpoint all queues, again and again, all in step.
 *
 * @param every the time between two sweeps of each
 */
record AdminClients(int count, Duration every) {
    static final AdminClients NONE = new AdminClients(0, Duration.ZERO);

    AdminClients withCount(int next) {
        return new AdminClients(next, every);
    }
}
