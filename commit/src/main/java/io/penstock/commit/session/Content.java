package io.penstock.commit.session;

import io.penstock.commit.protocol.WriteSet;
import io.penstock.core.Bytes;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.VersionedRecord;
import org.jspecify.annotations.Nullable;

/**
 * The content of a live record, as a page, an overlay or a write set has it: a payload, or the reference to one.
 * Immutable.
 *
 * @param bytes the payload, or an encoded {@link io.penstock.core.overflow.OverflowReference}
 */
record Content(Bytes bytes, boolean isReference) {
    /** Null for a delete. */
    static @Nullable Content of(WriteSet.Write write) {
        return of(write.payload(), write.isReference());
    }

    /** Null for a delete. */
    static @Nullable Content of(RecordChange change) {
        return switch (change) {
            case RecordChange.Put put -> new Content(put.payload(), put.isReference());
            case RecordChange.Delete delete -> null;
        };
    }

    /** Null for a tombstone. */
    static @Nullable Content of(VersionedRecord record) {
        return of(record.payload(), record.isReference());
    }

    private static @Nullable Content of(@Nullable Bytes payload, boolean isReference) {
        return payload == null ? null : new Content(payload, isReference);
    }
}
