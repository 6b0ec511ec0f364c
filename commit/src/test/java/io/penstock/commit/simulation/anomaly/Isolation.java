package io.penstock.commit.simulation.anomaly;

import io.penstock.commit.simulation.History;
import io.penstock.commit.simulation.promise.Evidence;
import io.penstock.commit.simulation.promise.Promise;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
            case G_NONADJACENT -> "no G-nonadjacent";
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

    /** Two absences of a key that is deleted now and then cannot be told apart, so reads of these are left out. */
    private static List<Anomalies.Txn> transactions(Evidence evidence) {
        List<Anomalies.Txn> all = new ArrayList<>();
        Set<String> deleted = new HashSet<>();
        Set<String> seen = seen(evidence);
        evidence.history()
                .transactions()
                .forEach(transaction -> transaction.writes.forEach((key, value) -> {
                    if (value == null) {
                        deleted.add(key);
                    }
                }));
        for (History.Transaction transaction : evidence.history().transactions()) {
            List<Anomalies.Access> reads = transaction.reads.stream()
                    .filter(read -> read.value() != null || !deleted.contains(read.key()))
                    .map(read -> new Anomalies.Access(read.key(), read.value()))
                    .toList();
            List<Anomalies.Access> writes = new ArrayList<>();
            transaction.writes.forEach((key, value) -> writes.add(new Anomalies.Access(key, value)));
            boolean committed = transaction.isAcknowledged()
                    || transaction.mayBeCommitted()
                            && transaction.writes.values().stream().anyMatch(seen::contains);
            all.add(new Anomalies.Txn(all.size() + 1, committed, reads, writes));
        }
        return all;
    }

    /** The values that somebody has read: their writers have committed, whatever they know of it themselves. */
    private static Set<String> seen(Evidence evidence) {
        Set<String> seen = new HashSet<>(evidence.others().values());
        evidence.history()
                .transactions()
                .forEach(transaction -> transaction.reads.forEach(read -> {
                    if (read.value() != null) {
                        seen.add(read.value());
                    }
                }));
        return seen;
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
