package io.penstock.core.page;

/**
 * The time from which on a record is as if it were not there, in milliseconds since 1970. It belongs to the put that
 * wrote the record: a newer put replaces it with the rest.
 */
public final class Expiry {
    /** The expiry of a record that stays. It is never stored: what has none is stored as it always was. */
    public static final long NEVER = Long.MAX_VALUE;

    private Expiry() {}
}
