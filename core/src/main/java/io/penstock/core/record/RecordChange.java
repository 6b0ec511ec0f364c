package io.penstock.core.record;

import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.page.Expiry;
import org.jspecify.annotations.Nullable;

/**
 * A change of one record, as a log record carries it, and as a page holds the newest of a key: a record or a tombstone.
 * Of several changes of a key the one with the newest stamp wins. Immutable.
 *
 * <p>A {@code switch} over the kinds of change has no default, so that the compiler finds all places for a new kind.
 */
public sealed interface RecordChange {
    Bytes key();

    Stamp stamp();

    /** The new payload, or the reference to it; null when the record is deleted. */
    @Nullable
    Bytes payloadOrNull();

    /** Whether {@link #payloadOrNull} is encoded {@link io.penstock.core.overflow.OverflowParts}. */
    boolean isReference();

    /**
     * The time at which the record expires, in milliseconds since 1970; {@link Expiry#NEVER} for most, and for a
     * delete.
     */
    long expiryMillis();

    /** Whether it deletes the record. */
    default boolean isTombstone() {
        return payloadOrNull() == null;
    }

    /** The payload of a live record, or the reference to it; possibly a slice that keeps a whole page alive. */
    default Bytes livePayload() {
        Bytes payload = payloadOrNull();
        if (payload == null) {
            throw new IllegalStateException("a tombstone has no payload");
        }
        return payload;
    }

    /** Returns this change with copies of key and payload, so as not to keep what they are slices of in memory. */
    RecordChange copy();

    /** Returns this change; if it is a slice of a large page, a copy. */
    default RecordChange apart() {
        return this;
    }

    /** Returns this change with another stamp. */
    RecordChange stamped(Stamp stamp);

    /** The length of key and payload in bytes. */
    default int bytes() {
        Bytes payload = payloadOrNull();
        return key().length() + (payload == null ? 0 : payload.length());
    }

    /**
     * Gives the record a payload.
     *
     * @param payload the payload, or encoded {@link io.penstock.core.overflow.OverflowParts}
     * @param isReference whether {@code payload} is such a reference
     * @param expiryMillis when the record expires, or {@link Expiry#NEVER}
     */
    record Put(Bytes key, Bytes payload, boolean isReference, long expiryMillis, Stamp stamp) implements RecordChange {
        /** The size, in bytes, from which pages are not kept in memory for the sake of one record. */
        private static final int LARGE_BYTES = 256 << 10;

        /** A record that stays. */
        public Put(Bytes key, Bytes payload, boolean isReference, Stamp stamp) {
            this(key, payload, isReference, Expiry.NEVER, stamp);
        }

        /** A record that stays, with its payload. */
        public Put(Bytes key, Bytes payload, Stamp stamp) {
            this(key, payload, false, stamp);
        }

        @Override
        public RecordChange stamped(Stamp other) {
            return new Put(key, payload, isReference, expiryMillis, other);
        }

        @Override
        public Put copy() {
            return new Put(key.copy(), payload.copy(), isReference, expiryMillis, stamp);
        }

        @Override
        public Put apart() {
            return payload.array().length < Math.max(LARGE_BYTES, 2 * payload.length()) ? this : copy();
        }

        @Override
        public Bytes payloadOrNull() {
            return payload;
        }
    }

    /** Deletes the record. */
    record Delete(Bytes key, Stamp stamp) implements RecordChange {
        @Override
        public @Nullable Bytes payloadOrNull() {
            return null;
        }

        @Override
        public boolean isReference() {
            return false;
        }

        @Override
        public long expiryMillis() {
            return Expiry.NEVER;
        }

        @Override
        public RecordChange stamped(Stamp other) {
            return new Delete(key, other);
        }

        @Override
        public Delete copy() {
            return new Delete(key.copy(), stamp);
        }
    }
}
