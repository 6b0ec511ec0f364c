package io.penstock.commit.client;

import io.penstock.core.Stamp;

/** An observer of the stamps of all records that are read. */
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
