package io.penstock.core.object;

import java.util.List;

/**
 * One page of a listing.
 *
 * @param more whether another call, starting after the last key of this page, may find more
 */
public record Listing(List<Entry> entries, boolean more) {
    public Listing {
        entries = List.copyOf(entries);
    }

    /** One object; {@code modifiedMillis} as in {@link StoredObject}. */
    public record Entry(String key, long bytes, ObjectVersion version, long modifiedMillis) {}
}
