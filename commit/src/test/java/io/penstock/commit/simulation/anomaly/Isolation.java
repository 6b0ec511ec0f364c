package io.penstock.commit.simulation.anomaly;

import io.penstock.commit.simulation.History;
import io.penstock.commit.simulation.promise.Evidence;
import io.penstock.commit.simulation.promise.Promise;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The promise that a run is free of one kind of anomaly, which levels with isolation will make. The order of versions
 * is that of stamps, since the newest wins.
 */
public record Isolation(Anomalies.Kind kind) implements Promise {
    @Override
    public String name() {
        return switch (kind) {
            case LOST_UPDATE -> "no lost update";
            case G_SINGLE -> "no G-single";
            default -> "no " + kind;
        };
    }

    @Override
    public List<String> violations(Evidence evidence) {
        return Anomalies.of(transactions(evidence), versions(evidence)).stream()
                .filter(found -> found.kind() == kind)
                .map(Object::toString)
                .toList();
    }

    private static List<Anomalies.Txn> transactions(Evidence evidence) {
        List<Anomalies.Txn> all = new ArrayList<>();
        for (History.Transaction transaction : evidence.history().transactions()) {
            List<Anomalies.Access> reads = transaction.reads.stream()
                    .map(read -> new Anomalies.Access(read.key(), read.value()))
                    .toList();
            List<Anomalies.Access> writes = new ArrayList<>();
            transaction.writes.forEach((key, value) -> writes.add(new Anomalies.Access(key, value)));
            all.add(new Anomalies.Txn(all.size() + 1, transaction.mayBeCommitted(), reads, writes));
        }
        return all;
    }

    /** Deletes end a chain of versions that can be told apart, so keys that are deleted are left out. */
    private static Map<String, List<String>> versions(Evidence evidence) {
        Map<String, Map<String, Stamp>> stamps = new HashMap<>();
        for (History.Transaction transaction : evidence.history().transactions()) {
            boolean placed = transaction.mayBeCommitted() && !transaction.stamp.equals(Stamp.ZERO);
            transaction.writes.forEach((key, value) -> {
                if (placed && value != null) {
                    stamps.computeIfAbsent(key, k -> new HashMap<>()).put(value, transaction.stamp);
                }
            });
        }
        evidence.history()
                .transactions()
                .forEach(t -> t.writes.forEach((key, value) -> {
                    if (value == null) {
                        stamps.remove(key);
                    }
                }));
        Map<String, List<String>> versions = new HashMap<>();
        stamps.forEach((key, ofKey) -> versions.put(
                key,
                ofKey.entrySet().stream()
                        .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                        .map(Map.Entry::getKey)
                        .toList()));
        return versions;
    }
}
