package io.penstock.commit.domain;

import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.log.Frame;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.LogRecordCodec;
import io.penstock.commit.log.WireReader;
import io.penstock.commit.log.WireWriter;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.Stamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The content of one object of a commit log: the transactions of one put, in their order.
 *
 * @param number its position, counted from 1
 * @param writeId random: identifies the writer after a lost answer
 * @param previous the write id of the segment before; 0 in the first. A segment of another log does not fit
 * @param horizon the newest that its writer knew
 */
record Segment(String domain, long number, long writeId, long previous, long horizon, List<Transaction> transactions) {
    private static final int KIND = 'S';
    private static final int ID_BYTES = 16;

    /** An upper bound of the bytes that a transaction adds to its log records. */
    static final int TRANSACTION_BYTES_MAX = ID_BYTES + 10 + 5;

    /** An upper bound of the bytes of a segment without transactions and verdicts. */
    static final int OVERHEAD_BYTES_MAX = Frame.HEADER_BYTES + 34 + 10 + 16 + 10 + 5;

    /** A transaction of the log; all of its records, of which there is at least one, have its stamp. */
    record Transaction(TransactionId id, long snapshot, List<LogRecord> records) {
        Transaction {
            records = List.copyOf(records);
        }

        Stamp stamp() {
            return records.getFirst().change().stamp();
        }
    }

    Segment {
        transactions = List.copyOf(transactions);
    }

    /** The newest stamp; {@code before} when it has no transaction. */
    Stamp stamp(Stamp before) {
        return transactions.isEmpty() ? before : transactions.getLast().stamp();
    }

    List<LogRecord> records() {
        return transactions.stream()
                .flatMap(transaction -> transaction.records.stream())
                .toList();
    }

    /**
     * Encodes it as {@code bytes(domain) | varint number | u64 write id | u64 previous | varint horizon |
     * varint(transactions) (u64 client | u64 nonce | varint snapshot | run of log records)*} after a frame.
     */
    Bytes encode() {
        WireWriter out = new WireWriter(1024)
                .bytes(Bytes.utf8(domain))
                .varint(number)
                .u64(writeId)
                .u64(previous)
                .varint(horizon)
                .varint(transactions.size());
        transactions.forEach(one -> {
            write(out, one.id).varint(one.snapshot);
            LogRecordCodec.write(out, one.records);
        });
        return Frame.wrap(KIND, out.toBytes());
    }

    static WireWriter write(WireWriter out, TransactionId id) {
        return out.u64(id.client().value()).u64(id.nonce());
    }

    static TransactionId readId(WireReader in) {
        return new TransactionId(new ClientId(in.u64()), in.u64());
    }

    /**
     * Decodes a segment.
     *
     * @param what names the object in the error when it is damaged
     */
    static Segment decode(Bytes object, String what) {
        WireReader in = Frame.unwrap(KIND, object, what);
        String domain = in.bytes().toUtf8();
        long number = in.varint();
        long writeId = in.u64();
        long previous = in.u64();
        long horizon = in.varint();
        List<Transaction> transactions = new ArrayList<>();
        for (int left = in.count(ID_BYTES + 2); left > 0; left--) {
            transactions.add(transaction(in));
        }
        in.end();
        if (number < 1 || horizon < 0 || horizon >= number) {
            throw in.corrupt("its numbers are impossible");
        }
        return new Segment(domain, number, writeId, previous, horizon, transactions);
    }

    private static Transaction transaction(WireReader in) {
        TransactionId id = readId(in);
        long snapshot = in.varint();
        List<LogRecord> records = LogRecordCodec.read(in);
        boolean oneStamp = records.stream()
                        .map(record -> record.change().stamp())
                        .distinct()
                        .count()
                == 1;
        if (snapshot < 0 || !oneStamp) {
            throw in.corrupt("a transaction has an impossible snapshot, or not one stamp");
        }
        return new Transaction(id, snapshot, records);
    }

    /** Checks that this segment follows another one. */
    void requireAfter(Tip tip, String key) {
        if (number != tip.position() + 1 || previous != tip.writeId()) {
            throw new CorruptDataException(
                    ErrorCode.LOG_DAMAGED,
                    "a segment of a commit log does not follow the one before it: it is of another log, or that was"
                            + " replaced; restore both from a backup or an older version of the objects",
                    "object",
                    key,
                    "domain",
                    domain);
        }
        long before = tip.stamp().time();
        for (Transaction transaction : transactions) {
            if (transaction.stamp().time() <= before) {
                throw new CorruptDataException(
                        ErrorCode.LOG_DAMAGED,
                        "the stamps of a commit log do not grow; report this, and restore the object",
                        "object",
                        key);
            }
            before = transaction.stamp().time();
        }
    }

    /**
     * The last segment that a client knows.
     *
     * @param writeId its write id; 0 at position 0, before the first
     * @param stamp the newest up to it
     * @param freeMillis a time of the store's clock at which the next slot was certainly not filled yet, nor ever
     *     before
     */
    record Tip(long position, long writeId, Stamp stamp, long freeMillis) {
        /** The tip before the first segment of a log whose time is unknown. */
        static final Tip NONE = new Tip(0, 0, Stamp.ZERO, Long.MIN_VALUE / 2);

        /**
         * Whether what happened to the next slot at a time of the store's clock was the first that ever did. A trimmed
         * slot is free again; but a segment stays for the retention, so that takes longer than this.
         */
        boolean isFirst(long atMillis, Duration retention) {
            return atMillis - freeMillis < retention.toMillis() / 2;
        }

        Tip free(long atMillis) {
            return new Tip(position, writeId, stamp, Math.max(freeMillis, atMillis));
        }

        Tip after(Segment segment, long modifiedMillis) {
            return new Tip(segment.number(), segment.writeId(), segment.stamp(stamp), modifiedMillis);
        }
    }
}
