package io.penstock.feed;

import io.penstock.core.Bytes;
import java.util.Optional;

/**
 * A change of one record, as bytes. {@code RecordCollection.key} and {@code value} give them types. Immutable.
 *
 * @param value of a {@link Kind#PUT}, otherwise empty
 */
public record Change(String collection, Bytes key, Kind kind, Optional<Bytes> value) {
    /** The kind of the change. */
    public enum Kind {
        /** The record has this value. */
        PUT,

        /** The record is gone. */
        DELETE,

        /**
         * The record had a large value, which was replaced or deleted since, and is gone. A later change of it is in
         * the log, unless it has expired, or that happened once its collection had left the domain.
         */
        REPLACED
    }
}
