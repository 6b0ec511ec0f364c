package io.penstock.commit.domain;

import io.penstock.commit.domain.Segment.Tip;
import io.penstock.commit.log.Frame;
import io.penstock.commit.log.WireReader;
import io.penstock.commit.log.WireWriter;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.Stamp;

/**
 * The content of a domain's own object: the position up to which its log is on pages.
 *
 * @param nonce random: identifies the writer after a lost answer, and makes each version a new one
 * @param position the segments up to it are on pages
 * @param writeId of that segment
 * @param stamp the newest up to it
 * @param trimmed the segments up to it are gone, or will be
 * @param claim the client that checkpoints; that saves work, and is what old records go by
 * @param hold until when checkpoints should not go beyond a position
 */
record Horizon(
        String domain, long nonce, long position, long writeId, Stamp stamp, long trimmed, Claim claim, Hold hold) {
    private static final int KIND = 'H';

    /** A turn to checkpoint, until a time of the store's clock. */
    record Claim(ClientId client, long untilMillis) {
        static final Claim NONE = new Claim(new ClientId(0), 0);
    }

    /** A request not to go beyond a position, between two times of the store's clock. */
    record Hold(long position, long fromMillis, long untilMillis) {
        static final Hold NONE = new Hold(0, 0, 0);
    }

    /** The horizon of a log that was never checkpointed. */
    static Horizon none(String domain) {
        return new Horizon(domain, 0, 0, 0, Stamp.ZERO, 0, Claim.NONE, Hold.NONE);
    }

    Horizon claimed(long nonce, Claim next) {
        return new Horizon(domain, nonce, position, writeId, stamp, trimmed, next, hold);
    }

    Horizon held(long nonce, Hold next) {
        return new Horizon(domain, nonce, position, writeId, stamp, trimmed, claim, next);
    }

    Horizon trimmedThrough(long nonce, long last) {
        return new Horizon(domain, nonce, position, writeId, stamp, last, claim, hold);
    }

    /** The horizon at a segment, with no turn taken. */
    Horizon movedTo(long nonce, Tip segment, Claim next) {
        return new Horizon(domain, nonce, segment.position(), segment.writeId(), segment.stamp(), trimmed, next, hold);
    }

    /**
     * Encodes it as {@code bytes(domain) | u64 nonce | varint position | u64 write id | u64 time | u64 client | varint
     * trimmed | u64 client | u64 until | varint position | u64 from | u64 until} after a frame.
     */
    Bytes encode() {
        return Frame.wrap(
                KIND,
                new WireWriter(128)
                        .bytes(Bytes.utf8(domain))
                        .u64(nonce)
                        .varint(position)
                        .u64(writeId)
                        .u64(stamp.time())
                        .u64(stamp.client().value())
                        .varint(trimmed)
                        .u64(claim.client.value())
                        .u64(claim.untilMillis)
                        .varint(hold.position)
                        .u64(hold.fromMillis)
                        .u64(hold.untilMillis)
                        .toBytes());
    }

    /**
     * Decodes a horizon.
     *
     * @param what names the object in the error when it is damaged, or another domain's
     */
    static Horizon decode(Bytes object, String wanted, String what) {
        Horizon horizon = decode(object, what);
        if (!horizon.domain.equals(wanted)) {
            throw new CorruptDataException(
                    ErrorCode.LOG_DAMAGED, "a horizon is another domain's; restore it", "object", what);
        }
        return horizon;
    }

    /** Whether an object is a horizon of any domain, and whole. */
    static boolean isWhole(Bytes object) {
        try {
            var unused = decode(object, "horizon");
            return true;
        } catch (CorruptDataException other) {
            return false;
        }
    }

    private static Horizon decode(Bytes object, String what) {
        WireReader in = Frame.unwrap(KIND, object, what);
        Horizon horizon = new Horizon(
                in.bytes().toUtf8(),
                in.u64(),
                in.varint(),
                in.u64(),
                new Stamp(in.u64(), new ClientId(in.u64())),
                in.varint(),
                new Claim(new ClientId(in.u64()), in.u64()),
                new Hold(in.varint(), in.u64(), in.u64()));
        in.end();
        boolean possible = horizon.trimmed >= 0 && horizon.trimmed <= Math.max(0, horizon.position - 1);
        if (horizon.position < 0 || !possible) {
            throw in.corrupt("its numbers are impossible; restore it");
        }
        return horizon;
    }
}
