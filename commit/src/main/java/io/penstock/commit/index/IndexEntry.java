package io.penstock.commit.index;

import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * An entry of an index. Immutable.
 *
 * @param key the {@link CompositeKey} of search key and primary key
 * @param included an encoded {@link IncludedPart}, or empty: then the record has to be read
 * @param stamp of an entry that was read from a page and includes something; else null
 */
public record IndexEntry(
        Bytes key, Bytes included, @Nullable Stamp stamp) {
    /** An entry that is not on a page. */
    public IndexEntry(Bytes key, Bytes included) {
        this(key, included, null);
    }

    /** An entry that includes nothing. */
    public IndexEntry(Bytes key) {
        this(key, Bytes.EMPTY);
    }
}
