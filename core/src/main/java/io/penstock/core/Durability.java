package io.penstock.core;

/** The level that an acknowledged write of a local store has reached. */
public enum Durability {
    /** The disk: it survives a power cut. The default. */
    FLUSHED,

    /**
     * The operating system: it survives {@code kill -9}, but not a power cut. For tests and data that can be made
     * again.
     */
    OS_CACHE
}
