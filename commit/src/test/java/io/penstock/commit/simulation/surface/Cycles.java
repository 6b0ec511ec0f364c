package io.penstock.commit.simulation.surface;

import io.penstock.ConsistencyLevel;
import io.penstock.commit.simulation.History;
import io.penstock.commit.simulation.anomaly.Anomalies;
import io.penstock.commit.simulation.anomaly.Anomalies.Access;
import io.penstock.commit.simulation.anomaly.Anomalies.Kind;
import io.penstock.commit.simulation.anomaly.Anomalies.Txn;
import io.penstock.commit.simulation.surface.Attempt.End;
import io.penstock.commit.simulation.surface.Judge.Commit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The attempts of a run as registers, for a search for cycles that knows nothing of the model, and for Elle. Records
 * that somebody deletes are left out: a register has no word for it.
 */
final class Cycles {
    private final List<Attempt> attempts;
    private final Map<String, List<String>> versions = new TreeMap<>();
    private final Set<String> logged = new HashSet<>();

    Cycles(List<Attempt> attempts, List<Commit> commits) {
        this.attempts = attempts;
        Set<String> deleted = new HashSet<>();
        for (Commit commit : commits) {
            commit.changes().forEach((key, value) -> {
                value.ifPresent(v -> logged.add(key + "=" + v));
                value.ifPresentOrElse(
                        v -> versions.computeIfAbsent(key, k -> new ArrayList<>())
                                .add(v),
                        () -> deleted.add(key));
                value.filter(v -> Item.expiryMillis(v) > 0 || v.equals(Judge.GONE))
                        .ifPresent(v -> deleted.add(key));
            });
        }
        versions.keySet().removeAll(deleted);
    }

    /** The anomalies that the level of all transactions of it forbids. */
    List<String> forbidden() {
        List<Txn> transactions = new ArrayList<>();
        Map<Integer, Attempt> byId = new HashMap<>();
        for (Attempt attempt : attempts) {
            Txn txn = new Txn(transactions.size() + 1, isCommitted(attempt), reads(attempt), writes(attempt));
            transactions.add(txn);
            byId.put(txn.id(), attempt);
        }
        List<String> found = new ArrayList<>();
        for (Anomalies.Found one : Anomalies.of(transactions, versions)) {
            Set<ConsistencyLevel> levels = new HashSet<>();
            one.transactions().forEach(id -> levels.add(byId.get(id).level));
            boolean allowed = one.kind() == Kind.G2 && levels.contains(ConsistencyLevel.SNAPSHOT);
            if (!allowed) {
                found.add(one.kind() + " of "
                        + one.transactions().stream()
                                .map(byId::get)
                                .map(a -> "\n    " + a)
                                .toList());
            }
        }
        return found;
    }

    /** Of those whose outcome nobody knew, the log tells. */
    private boolean isCommitted(Attempt attempt) {
        boolean unknown = attempt.end == End.OPEN || attempt.end == End.UNKNOWN;
        return attempt.level.isolates()
                && (attempt.end == End.COMMITTED
                        || unknown
                                && attempt.puts.entrySet().stream()
                                        .anyMatch(put -> put.getValue()
                                                .filter(v -> logged.contains(put.getKey() + "=" + v))
                                                .isPresent()));
    }

    /** Only of the first look at each record, before own writes. */
    private List<Access> reads(Attempt attempt) {
        Map<String, Access> reads = new TreeMap<>();
        for (Attempt.Look look : attempt.looks) {
            if (look.writes() == 0) {
                look.records().forEach((key, value) -> {
                    if (versions.containsKey(key)) {
                        reads.putIfAbsent(key, new Access(key, value.orElse(null)));
                    }
                });
            }
        }
        return List.copyOf(reads.values());
    }

    private List<Access> writes(Attempt attempt) {
        List<Access> writes = new ArrayList<>();
        attempt.puts.forEach((key, value) -> {
            if (versions.containsKey(key)) {
                value.ifPresent(v -> writes.add(new Access(key, v)));
            }
        });
        return writes;
    }

    /** For Elle's checker of registers. */
    History history() {
        History history = new History();
        for (Attempt attempt : attempts) {
            History.Transaction one =
                    history.begin(attempt.user + "/" + attempt.beginNanos, attempt.level, attempt.beginNanos);
            one.endNanos = attempt.endNanos;
            one.stamp = attempt.stamp;
            one.outcome = switch (attempt.end) {
                case OPEN -> History.Outcome.OPEN;
                case COMMITTED -> History.Outcome.ACKNOWLEDGED;
                case ANSWERED, FAILED -> History.Outcome.FAILED;
                case UNKNOWN -> History.Outcome.UNKNOWN;
            };
            reads(attempt).forEach(read -> one.reads.add(new History.Read(read.key(), read.value())));
            writes(attempt).forEach(write -> one.writes.put(write.key(), write.value()));
        }
        return history;
    }
}
