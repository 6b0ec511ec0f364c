package io.penstock.commit.domain;

import io.penstock.commit.log.Frame;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.LogRecordCodec;
import io.penstock.commit.log.WireReader;
import io.penstock.commit.log.WireWriter;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.RecordChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A strict transaction on its way into the log.
 *
 * @param snapshot the position that it has read at
 * @param validated the keys and ranges that must not have been written after the snapshot
 * @param writes with {@link Stamp#ZERO}; they are stamped when a segment is made
 */
public record Intent(TransactionId id, long snapshot, ReadSet validated, List<LogRecord> writes) {
    public Intent {
        writes = List.copyOf(writes);
    }

    /**
     * The name of one try to commit a transaction.
     *
     * @param nonce random
     */
    public record TransactionId(ClientId client, long nonce) {}

    /**
     * A fence: a transaction without effect on pages. All that began before it and write to a tree conflict with it.
     */
    static Intent fence(TransactionId id, long snapshot, TreeId tree) {
        return new Intent(id, snapshot, new ReadSet(), List.of(fence(tree)));
    }

    /** The one log record of a fence. */
    public static LogRecord fence(TreeId tree) {
        return new LogRecord(tree, new RecordChange.Delete(Bytes.EMPTY, Stamp.ZERO));
    }

    /** Returns this intent with a later snapshot, up to which nothing was written that it depends on. */
    Intent at(long position) {
        return new Intent(id, Math.max(snapshot, position), validated, writes);
    }

    /** This transaction as the log has it. */
    Segment.Transaction stamped(Stamp stamp) {
        return new Segment.Transaction(
                id, snapshot, writes.stream().map(write -> write.stamped(stamp)).toList());
    }

    /** Whether a log record is that of a fence. No record has an empty key. */
    public static boolean isFence(LogRecord record) {
        return record.change().key().isEmpty();
    }

    /**
     * A transaction that was handed in.
     *
     * @param born the tip of its client when it did so: it is in no segment up to it
     * @param until the last segment that may include it
     * @param waited the microseconds since its first try began
     */
    record HandedIn(Intent intent, long born, long until, long waited) {
        private static final int KIND = 'I';

        /** The segments after a transaction was handed in that may include it. */
        private static final long LIFE = 1_000;

        /** The longest wait that counts: nobody has waited for longer, whatever a message says. */
        private static final long WAITED_MAX = TimeUnit.DAYS.toMicros(1);

        static HandedIn at(Intent intent, long tip, Duration waited) {
            return new HandedIn(intent, tip, tip + LIFE, Math.max(0, TimeUnit.NANOSECONDS.toMicros(waited.toNanos())));
        }

        /** When its first try began, by the clock of the client that has it in hand since {@code nanos}. */
        long begunNanos(long nanos) {
            return nanos - TimeUnit.MICROSECONDS.toNanos(Math.min(waited, WAITED_MAX));
        }

        /** Returns a reference to this transaction, without its reads and writes: an object of the log has those. */
        HandedIn reference() {
            return new HandedIn(new Intent(intent.id, intent.snapshot, new ReadSet(), List.of()), born, until, waited);
        }

        boolean isReference() {
            return intent.writes.isEmpty();
        }

        /** A reference with what the object has. */
        HandedIn with(Intent whole) {
            return new HandedIn(whole.at(intent.snapshot), born, until, waited);
        }

        /** An upper bound of its bytes in a message. */
        long bytesMax() {
            return BYTES_MAX
                    + intent.validated.encodedBytesMax()
                    + intent.writes.stream().mapToLong(LogRecordCodec::sizeMax).sum();
        }

        /** An upper bound of the bytes of its names, numbers and counts. */
        private static final int BYTES_MAX = 16 + 4 * 10 + 5 + 5;

        /** Whether a client may include it after {@code tip}, if it is not in any segment after {@code base}. */
        boolean mayFollow(long base, long tip) {
            return born >= base && born <= tip && intent.snapshot() <= tip && tip < until;
        }

        /**
         * Encodes a message as {@code bytes(domain) | varint(count) (u64 client | u64 nonce | varint snapshot | varint
         * born | varint until | varint waited | read set | run of log records)*} after a frame. One without writes is a
         * reference.
         */
        static Bytes encode(String domain, List<HandedIn> transactions) {
            WireWriter out = new WireWriter(1024).bytes(Bytes.utf8(domain)).varint(transactions.size());
            for (HandedIn one : transactions) {
                Segment.write(out, one.intent.id())
                        .varint(one.intent.snapshot())
                        .varint(one.born)
                        .varint(one.until)
                        .varint(one.waited);
                one.intent.validated().write(out);
                LogRecordCodec.write(out, one.intent.writes());
            }
            return Frame.wrap(KIND, out.toBytes());
        }

        static List<HandedIn> decode(Bytes message, String wanted) {
            WireReader in = Frame.unwrap(KIND, message, "an intake queue");
            if (!in.bytes().toUtf8().equals(wanted)) {
                throw in.corrupt("it is of another domain");
            }
            List<HandedIn> transactions = new ArrayList<>();
            for (int left = in.count(22); left > 0; left--) {
                TransactionId id = Segment.readId(in);
                long snapshot = in.varint();
                long born = in.varint();
                long until = in.varint();
                long waited = in.varint();
                ReadSet validated = ReadSet.read(in);
                Intent intent = new Intent(id, snapshot, validated, LogRecordCodec.read(in));
                boolean reads = !validated.isEmpty();
                if (snapshot < 0 || born < snapshot || waited < 0 || intent.writes.isEmpty() && reads) {
                    throw in.corrupt("a transaction has impossible numbers, or writes nothing");
                }
                transactions.add(new HandedIn(intent, born, until, waited));
            }
            in.end();
            return transactions;
        }
    }
}
