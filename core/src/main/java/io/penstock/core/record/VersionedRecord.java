package io.penstock.core.record;

import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.page.Expiry;
import org.jspecify.annotations.Nullable;

/**
 * A record or a tombstone, with its stamp. Immutable.
 *
 * @param payload null for a tombstone; otherwise possibly a slice that keeps a whole page alive
 * @param isReference whether {@code payload} is an encoded {@link io.penstock.core.overflow.OverflowReference}
 * @param expiryMillis when it expires, or {@link Expiry#NEVER}
 * @param stamp of the change that wrote it
 */
public record VersionedRecord(Bytes key, @Nullable Bytes payload, boolean isReference, long expiryMillis, Stamp stamp) {
    /** Pages from this size on are not kept in memory for the sake of one record. */
    private static final int LARGE_BYTES = 256 << 10;

    public VersionedRecord(Bytes key, @Nullable Bytes payload, Stamp stamp) {
        this(key, payload, false, Expiry.NEVER, stamp);
    }

    public boolean isTombstone() {
        return payload == null;
    }

    /** The payload of a live record. */
    public Bytes livePayload() {
        if (payload == null) {
            throw new IllegalStateException("a tombstone has no payload");
        }
        return payload;
    }

    /** The same record; if its page is large, with a payload of its own, so as not to keep the page in memory. */
    public VersionedRecord apart() {
        if (payload == null || payload.array().length < Math.max(LARGE_BYTES, 2 * payload.length())) {
            return this;
        }
        return new VersionedRecord(key, payload.copy(), isReference, expiryMillis, stamp);
    }
}
