package io.penstock.commit.protocol;

import io.penstock.commit.client.Identity;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.queue.Position;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A committed transaction on its way to the PU queues. Remembers which of its log records were sent, so that a queue
 * that fails has only its own share sent again. Not safe for use by many threads.
 */
final class Unforwarded {
    private final StampedTransaction transaction;
    private final Identity sentTo;
    private final List<Position> positions = new ArrayList<>();
    private List<LogRecord> unsent;

    /** The name of a record: a transaction has at most one log record of each. */
    private record Name(TreeId tree, Bytes key) {
        static Name of(LogRecord record) {
            return new Name(record.tree(), record.change().key());
        }
    }

    /** @param sentTo the identity whose ATOMIC queue holds it */
    Unforwarded(StampedTransaction transaction, Identity sentTo) {
        this.transaction = transaction;
        this.sentTo = sentTo;
        this.unsent = transaction.records();
    }

    StampedTransaction transaction() {
        return transaction;
    }

    Identity sentTo() {
        return sentTo;
    }

    List<LogRecord> unsent() {
        return unsent;
    }

    /** Leaves out the log records of trees that were dropped since. */
    void discard(Predicate<TreeId> dropped) {
        unsent = unsent.stream().filter(record -> !dropped.test(record.tree())).toList();
    }

    /** Notes log records of this transaction that have arrived in a queue. */
    void sent(List<LogRecord> records, Position position) {
        Set<Name> there = records.stream().map(Name::of).collect(Collectors.toSet());
        unsent = unsent.stream()
                .filter(record -> !there.contains(Name.of(record)))
                .toList();
        positions.add(position);
    }

    /** Whether all its log records are in PU queues, or discarded; then their places are known to the transaction. */
    boolean isDone() {
        if (!unsent.isEmpty()) {
            return false;
        }
        transaction.sentTo(positions);
        return true;
    }
}
