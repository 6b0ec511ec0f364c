package io.penstock.commit.simulation;

import io.penstock.ConsistencyLevel;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The history of a run: everything that its users did and saw, in the order in which they began it. */
public final class History {
    /** The session that reads the store in the end: its writes do not belong to the workload. */
    public static final String VERIFIER = "verifier";

    /** The outcome of a transaction as its user knows it. */
    public enum Outcome {
        /** Begun and never heard of again: its client crashed. */
        OPEN,
        ACKNOWLEDGED,
        /** Certainly not committed. */
        FAILED,
        UNKNOWN
    }

    /** One read: the value is null when there was no record. */
    public record Read(String key, @Nullable String value) {}

    /**
     * One transaction: reads, then writes. Every written value is written once in a run, so a value names the write.
     * Keys are {@code collection/key}; the value of a delete is null.
     */
    public static final class Transaction {
        public final String session;
        public final ConsistencyLevel level;
        public final long beginNanos;
        public final List<Read> reads = new ArrayList<>();

        /** Reads before the writes that no other promise of the session is about. */
        public final List<Read> otherReads = new ArrayList<>();

        public final Map<String, @Nullable String> writes = new LinkedHashMap<>();
        public Outcome outcome = Outcome.OPEN;
        public Stamp stamp = Stamp.ZERO;
        public long endNanos;

        /** Whether messages with a part of it were taken away on purpose. */
        public boolean lost;

        Transaction(String session, ConsistencyLevel level, long beginNanos) {
            this.session = session;
            this.level = level;
            this.beginNanos = beginNanos;
        }

        public boolean isAcknowledged() {
            return outcome == Outcome.ACKNOWLEDGED;
        }

        public boolean mayBeCommitted() {
            return outcome != Outcome.FAILED;
        }

        @Override
        public String toString() {
            return session + " " + outcome + " " + stamp + " read " + reads + " wrote " + writes;
        }
    }

    private final List<Transaction> transactions = new ArrayList<>();

    public Transaction begin(String session, ConsistencyLevel level, long nowNanos) {
        Transaction transaction = new Transaction(session, level, nowNanos);
        transactions.add(transaction);
        return transaction;
    }

    public List<Transaction> transactions() {
        return transactions;
    }
}
