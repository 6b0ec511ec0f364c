package io.penstock.core.record;

import io.penstock.core.Bytes;
import io.penstock.core.Stamp;

/** What a log record says of one record. Of several changes of a key the one with the newest stamp wins. Immutable. */
public sealed interface RecordChange {
    Bytes key();

    Stamp stamp();

    /**
     * The record has this payload from now on.
     *
     * @param payload or, in its place, an encoded {@link io.penstock.core.overflow.OverflowReference}
     * @param isReference which of the two it is
     */
    record Put(Bytes key, Bytes payload, boolean isReference, Stamp stamp) implements RecordChange {
        public Put(Bytes key, Bytes payload, Stamp stamp) {
            this(key, payload, false, stamp);
        }
    }

    /** There is no such record from now on. */
    record Delete(Bytes key, Stamp stamp) implements RecordChange {}
}
