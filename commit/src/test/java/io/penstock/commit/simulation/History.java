package io.penstock.commit.simulation;

import io.penstock.commit.ConsistencyLevel;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All that clients of one run did and saw, in the order in which they began it. */
final class History {
    enum Outcome {
        /** Begun and never heard of again: its client crashed. */
        OPEN,
        ACKNOWLEDGED,
        /** Certainly not committed. */
        FAILED,
        UNKNOWN
    }

    /** One read: the value is null when there was no record. */
    record Read(String key, @Nullable String value) {}

    /** One transaction. Every written value is written once in a run, so a value names the write. */
    static final class Transaction {
        final String session;
        final ConsistencyLevel level;
        final List<Read> reads = new ArrayList<>();
        final Map<String, @Nullable String> writes = new LinkedHashMap<>();
        Outcome outcome = Outcome.OPEN;
        Stamp stamp = Stamp.ZERO;

        Transaction(String session, ConsistencyLevel level) {
            this.session = session;
            this.level = level;
        }

        boolean mayBeCommitted() {
            return outcome != Outcome.FAILED;
        }

        @Override
        public String toString() {
            return session + " " + outcome + " " + stamp + " read " + reads + " wrote " + writes;
        }
    }

    private final List<Transaction> transactions = new ArrayList<>();

    Transaction begin(String session, ConsistencyLevel level) {
        Transaction transaction = new Transaction(session, level);
        transactions.add(transaction);
        return transaction;
    }

    /** Keys of transactions that were not acknowledged, and whose level does not keep them whole. */
    Set<String> halfWritten() {
        Set<String> keys = new HashSet<>();
        for (Transaction transaction : transactions) {
            if (transaction.level != ConsistencyLevel.ATOMIC && transaction.outcome != Outcome.ACKNOWLEDGED) {
                keys.addAll(transaction.writes.keySet());
            }
        }
        return keys;
    }

    List<Transaction> transactions() {
        return transactions;
    }
}
