package io.penstock.core.record;

import io.penstock.core.Bytes;
import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.page.Expiry;
import org.jspecify.annotations.Nullable;

/**
 * The content of a live record, as a page, an overlay or a write set has it: a payload, or the references to the
 * objects that hold one. Immutable.
 *
 * @param bytes the payload, or encoded {@link OverflowParts}
 * @param expiryMillis when the record expires, or {@link Expiry#NEVER}
 */
public record Content(Bytes bytes, boolean isReference, long expiryMillis) {
    /** The content that a change gives its record; null for a delete. */
    public static @Nullable Content of(RecordChange change) {
        Bytes payload = change.payloadOrNull();
        return payload == null ? null : new Content(payload, change.isReference(), change.expiryMillis());
    }

    public boolean hasExpired(long asOfMillis) {
        return expiryMillis <= asOfMillis;
    }

    /** The length of the payload in bytes. */
    public long length() {
        return isReference ? OverflowParts.decode(bytes).length() : bytes.length();
    }

    /** Whether both are the same payload, or references to the same objects. */
    public boolean isSame(@Nullable Content other) {
        return other != null && isReference == other.isReference && bytes.equals(other.bytes);
    }
}
