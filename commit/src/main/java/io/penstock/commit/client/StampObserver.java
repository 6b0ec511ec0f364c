package io.penstock.commit.client;

import io.penstock.core.Stamp;

/** What is told the stamp of everything that is read. */
@FunctionalInterface
public interface StampObserver {
    /**
     * Takes note of the time of a stamp that was read, as in {@link Stamp#time}. Returns false if it is from the
     * future.
     */
    boolean observe(long time);

    /** Takes note of a stamp that was read. Returns false if it is from the future. */
    default boolean observe(Stamp stamp) {
        return observe(stamp.time());
    }
}
