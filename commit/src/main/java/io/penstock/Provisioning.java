package io.penstock;

/**
 * The choice of the clients that create the shared things of a store: PU queues, lock queues and the entries of the
 * catalog.
 */
public enum Provisioning {
    /** Every client creates what it misses. */
    CREATE,

    /**
     * All of it is there before a client comes ({@link Admin#provision} makes it), or opening the store fails with a
     * list of what is missing. A client still makes what is its alone: its heartbeat object and, at ATOMIC, its ATOMIC
     * queue, which cannot be created in advance, because a client's id is drawn when it opens the store.
     */
    EXISTING;

    /** Whether a client creates the shared things that it misses. */
    boolean mayCreate() {
        return switch (this) {
            case CREATE -> true;
            case EXISTING -> false;
        };
    }
}
