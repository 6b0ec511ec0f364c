package io.penstock.commit.simulation;

import io.penstock.commit.ConsistencyLevel;
import io.penstock.commit.FinalState;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares a history and the final state with what a level promises. Pure. */
final class Promises {
    private final History history;
    private final Map<String, FinalState.Found> end;
    private final Map<String, Stamp> stampOf = new HashMap<>();
    private final List<SimulatedRun.Broken> broken = new ArrayList<>();

    private Promises(History history, Map<String, FinalState.Found> end) {
        this.history = history;
        this.end = end;
        for (History.Transaction transaction : history.transactions()) {
            learnStamp(transaction);
            transaction.writes.forEach((key, value) -> {
                if (value != null && !transaction.stamp.equals(Stamp.ZERO)) {
                    stampOf.put(value, transaction.stamp);
                }
            });
        }
    }

    /** A transaction of unknown outcome shows its stamp by what it left. */
    private void learnStamp(History.Transaction transaction) {
        transaction.writes.forEach((key, value) -> {
            FinalState.Found found = end.get(key);
            if (value != null && found != null && value.equals(found.value())) {
                transaction.stamp = found.stamp();
            }
        });
    }

    static List<SimulatedRun.Broken> check(ConsistencyLevel level, History history, Map<String, FinalState.Found> end) {
        Promises promises = new Promises(history, end);
        if (level == ConsistencyLevel.NAIVE) {
            return List.of();
        }
        promises.checkAcknowledged();
        promises.checkNothingElse();
        if (level != ConsistencyLevel.BASIC) {
            promises.checkSessions();
        }
        if (level == ConsistencyLevel.ATOMIC) {
            promises.checkWhole();
        }
        return promises.broken;
    }

    private void checkAcknowledged() {
        for (History.Transaction transaction : history.transactions()) {
            if (transaction.outcome != History.Outcome.ACKNOWLEDGED) {
                continue;
            }
            transaction.writes.forEach((key, value) -> {
                FinalState.Found found = end.get(key);
                boolean survives = found != null
                        && (found.stamp().isAfter(transaction.stamp)
                                || found.stamp().equals(transaction.stamp)
                                        && java.util.Objects.equals(found.value(), value));
                if (!survives) {
                    report("acknowledged writes survive", key + " has " + found + ", acknowledged " + transaction);
                }
            });
        }
    }

    /** Every live record was written by some transaction that may be committed. */
    private void checkNothingElse() {
        Map<String, String> writers = new HashMap<>();
        for (History.Transaction transaction : history.transactions()) {
            if (transaction.mayBeCommitted()) {
                transaction.writes.forEach((key, value) -> {
                    if (value != null) {
                        writers.put(value, key);
                    }
                });
            }
        }
        end.forEach((key, found) -> {
            if (found.value() != null && !key.equals(writers.get(found.value()))) {
                report("only committed writes are seen", key + " has " + found);
            }
        });
    }

    private void checkSessions() {
        Map<String, Map<String, Stamp>> written = new HashMap<>();
        Map<String, Map<String, Stamp>> read = new HashMap<>();
        for (History.Transaction transaction : history.transactions()) {
            Map<String, Stamp> ownWrites = written.computeIfAbsent(transaction.session, s -> new HashMap<>());
            Map<String, Stamp> ownReads = read.computeIfAbsent(transaction.session, s -> new HashMap<>());
            for (History.Read one : transaction.reads) {
                checkNotOlder("read your writes", transaction, one, ownWrites.get(one.key()));
                checkNotOlder("monotonic reads", transaction, one, ownReads.get(one.key()));
                Stamp stamp = one.value() == null ? null : stampOf.get(one.value());
                if (stamp != null) {
                    ownReads.put(one.key(), stamp);
                }
            }
            if (transaction.outcome == History.Outcome.ACKNOWLEDGED) {
                transaction.writes.keySet().forEach(key -> ownWrites.put(key, transaction.stamp));
                checkFollowsReads(transaction);
            }
        }
    }

    private void checkNotOlder(
            String promise, History.Transaction transaction, History.Read read, @Nullable Stamp atLeast) {
        if (atLeast == null) {
            return;
        }
        if (read.value() == null) {
            if (!mayBeDeletedAfter(read.key(), atLeast)) {
                report(promise, read + " after " + atLeast + " in " + transaction);
            }
            return;
        }
        Stamp stamp = stampOf.get(read.value());
        if (stamp != null && atLeast.isAfter(stamp)) {
            report(promise, read + " of " + stamp + " after " + atLeast + " in " + transaction);
        }
    }

    private boolean mayBeDeletedAfter(String key, Stamp stamp) {
        return history.transactions().stream()
                .filter(History.Transaction::mayBeCommitted)
                .filter(t -> t.writes.containsKey(key) && t.writes.get(key) == null)
                .anyMatch(t -> t.stamp.equals(Stamp.ZERO) || t.stamp.compareTo(stamp) >= 0);
    }

    private void checkFollowsReads(History.Transaction transaction) {
        for (History.Read read : transaction.reads) {
            Stamp stamp = read.value() == null ? null : stampOf.get(read.value());
            if (stamp != null && !transaction.writes.isEmpty() && !transaction.stamp.isAfter(stamp)) {
                report("writes follow reads", transaction + " read a value of " + stamp);
            }
        }
    }

    /** What is seen of a transaction in one place must be there, or be replaced by something newer, in every place. */
    private void checkWhole() {
        for (History.Transaction transaction : history.transactions()) {
            boolean seen = !transaction.stamp.equals(Stamp.ZERO);
            if (!seen || transaction.outcome == History.Outcome.ACKNOWLEDGED) {
                continue; // acknowledged ones were checked record by record
            }
            transaction.writes.keySet().forEach(key -> {
                FinalState.Found found = end.get(key);
                if (found == null || transaction.stamp.isAfter(found.stamp())) {
                    report("all or nothing", key + " has " + found + " but others of it are there: " + transaction);
                }
            });
        }
    }

    private void report(String promise, String detail) {
        broken.add(new SimulatedRun.Broken(promise, detail));
    }
}
