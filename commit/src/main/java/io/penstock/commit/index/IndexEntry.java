package io.penstock.commit.index;

import io.penstock.core.Bytes;

/**
 * An entry of an index. Immutable.
 *
 * @param key the {@link CompositeKey} of search key and primary key
 * @param included an encoded {@link IncludedPart}, or empty: then the record has to be read
 */
public record IndexEntry(Bytes key, Bytes included) {
    /** An entry that includes nothing. */
    public IndexEntry(Bytes key) {
        this(key, Bytes.EMPTY);
    }
}
