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
 * @param expiryMillis when the record expires, or {@link io.penstock.core.page.Expiry#NEVER}
 */
record Content(Bytes bytes, boolean isReference, long expiryMillis) {
    /** Null for a delete. */
    static @Nullable Content of(WriteSet.Write write) {
        return of(write.payload(), write.isReference(), write.expiryMillis());
    }

    /** Null for a delete. */
    static @Nullable Content of(RecordChange change) {
        return switch (change) {
            case RecordChange.Put put -> new Content(put.payload(), put.isReference(), put.expiryMillis());
            case RecordChange.Delete delete -> null;
        };
    }

    /** Null for a tombstone. */
    static @Nullable Content of(VersionedRecord record) {
        return of(record.payload(), record.isReference(), record.expiryMillis());
    }

    private static @Nullable Content of(@Nullable Bytes payload, boolean isReference, long expiryMillis) {
        return payload == null ? null : new Content(payload, isReference, expiryMillis);
    }

    boolean hasExpired(long asOfMillis) {
        return expiryMillis <= asOfMillis;
    }

    /** Whether both are the same payload, or references to the same object. */
    boolean isSame(@Nullable Content other) {
        return other != null && isReference == other.isReference && bytes.equals(other.bytes);
    }
}
