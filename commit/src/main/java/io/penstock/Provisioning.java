package io.penstock;

/** Who makes what a store stands on: its PU queues and lock queues, and the catalog's entries. */
public enum Provisioning {
    /** Whoever first needs a thing makes it. */
    CREATE,

    /**
     * All of it is there before a client comes ({@link Penstock#provision} makes it), or opening the store fails with a
     * list of what is missing. A client still makes what is its alone: its heartbeat object and, at ATOMIC, its ATOMIC
     * queue, which nobody can make in advance, because a client's id is drawn when it opens the store.
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
