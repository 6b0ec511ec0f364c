package io.penstock.commit.simulation.anomaly;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A search for the anomalies of Adya ("Weak consistency", MIT 1999) in a history whose order of versions is known:
 * forbidden reads, and cycles of dependencies between transactions. Pure.
 */
public final class Anomalies {
    /** The kinds of anomalies, mildest last. */
    public enum Kind {
        /** A cycle of writes over writes. */
        G0,
        /** A read of a transaction that was aborted. */
        G1A,
        /** A read of a write that its transaction itself replaced. */
        G1B,
        /** A cycle of writes over writes and reads of writes. */
        G1C,
        /** Two transactions read one version of a record, and both replace it. */
        LOST_UPDATE,
        /** A cycle with one read of what another transaction of it then replaced: read skew, for one. */
        G_SINGLE,
        /** A cycle with several of those, none of which follows another: two readers see two orders of two writes. */
        G_NONADJACENT,
        /** A cycle with several of those, and none of the former: write skew, for one. */
        G2
    }

    /** One transaction, its reads and writes in order. A null value is "no record". */
    public record Txn(int id, boolean committed, List<Access> reads, List<Access> writes) {}

    /** A key and the value that was read or written there. Every written value is written once. */
    public record Access(String key, @Nullable String value) {}

    /** An anomaly, and the transactions of it in the order of the cycle. */
    public record Found(Kind kind, List<Integer> transactions) {}

    private enum Edge {
        WRITE_WRITE,
        WRITE_READ,
        READ_WRITE
    }

    private static final Set<Edge> WRITES = EnumSet.of(Edge.WRITE_WRITE);
    private static final Set<Edge> FLOW = EnumSet.of(Edge.WRITE_WRITE, Edge.WRITE_READ);
    private static final Set<Edge> ALL = EnumSet.allOf(Edge.class);

    private final List<Txn> transactions;
    private final Map<String, List<String>> versions;
    private final Map<Access, Txn> writers = new HashMap<>();
    private final Map<Integer, Map<Integer, Set<Edge>>> graph = new HashMap<>();
    private final List<Found> found = new ArrayList<>();
    private final Set<Object> reported = new HashSet<>();

    private Anomalies(List<Txn> transactions, Map<String, List<String>> versions) {
        this.transactions = transactions;
        this.versions = versions;
        for (Txn txn : transactions) {
            txn.writes.forEach(write -> writers.put(write, txn));
        }
    }

    /**
     * @param versions the values of each key that committed transactions have left, first to last, without those that
     *     their own transaction replaced
     */
    public static List<Found> of(List<Txn> transactions, Map<String, List<String>> versions) {
        Anomalies search = new Anomalies(transactions, versions);
        search.readFaults();
        search.connect();
        search.lostUpdates();
        search.cycles();
        return search.found;
    }

    private void report(Kind kind, List<Integer> cycle) {
        if (reported.add(List.of(kind, new TreeSet<>(cycle)))) {
            found.add(new Found(kind, cycle));
        }
    }

    private void readFaults() {
        for (Txn reader : transactions) {
            for (Access read : reader.reads) {
                Txn writer = read.value == null ? null : writers.get(read);
                if (writer == null || writer == reader || !reader.committed) {
                    continue;
                }
                if (!writer.committed) {
                    report(Kind.G1A, List.of(writer.id, reader.id));
                } else if (!read.equals(lastWrite(writer, read.key))) {
                    report(Kind.G1B, List.of(writer.id, reader.id));
                }
            }
        }
    }

    private static @Nullable Access lastWrite(Txn writer, String key) {
        Access last = null;
        for (Access write : writer.writes) {
            last = write.key.equals(key) ? write : last;
        }
        return last;
    }

    private void connect() {
        versions.forEach((key, values) -> {
            for (int i = 0; i + 1 < values.size(); i++) {
                connect(writer(key, values.get(i)), writer(key, values.get(i + 1)), Edge.WRITE_WRITE);
            }
        });
        for (Txn reader : transactions) {
            if (reader.committed) {
                reader.reads.forEach(read -> connect(reader, read));
            }
        }
    }

    private void connect(Txn reader, Access read) {
        List<String> values = versions.getOrDefault(read.key, List.of());
        int version = read.value == null ? -1 : values.indexOf(read.value);
        if (read.value != null) {
            connect(writer(read.key, read.value), reader, Edge.WRITE_READ);
        }
        boolean known = read.value == null || version >= 0;
        if (known && version + 1 < values.size()) {
            connect(reader, writer(read.key, values.get(version + 1)), Edge.READ_WRITE);
        }
    }

    private @Nullable Txn writer(String key, String value) {
        Txn writer = writers.get(new Access(key, value));
        return writer != null && writer.committed ? writer : null;
    }

    private void connect(@Nullable Txn from, @Nullable Txn to, Edge edge) {
        if (from != null && to != null && from != to) {
            graph.computeIfAbsent(from.id, id -> new HashMap<>())
                    .computeIfAbsent(to.id, id -> EnumSet.noneOf(Edge.class))
                    .add(edge);
        }
    }

    private void lostUpdates() {
        Map<Access, Txn> updaters = new HashMap<>();
        for (Txn txn : transactions) {
            for (Access read : txn.committed ? txn.reads : List.<Access>of()) {
                Txn other = lastWrite(txn, read.key) == null ? txn : updaters.putIfAbsent(read, txn);
                if (other != null && other != txn) {
                    report(Kind.LOST_UPDATE, List.of(other.id, txn.id));
                }
            }
        }
    }

    /** For each edge the shortest way back: the kinds of edges that it needs tell the kind of the anomaly. */
    private void cycles() {
        graph.forEach((from, targets) -> targets.forEach((to, edges) -> {
            if (edges.contains(Edge.WRITE_WRITE)) {
                close(Kind.G0, from, to, WRITES);
            }
            if (edges.contains(Edge.WRITE_READ)) {
                close(Kind.G1C, from, to, FLOW);
            }
            if (edges.contains(Edge.READ_WRITE)
                    && !close(Kind.G_SINGLE, from, to, FLOW)
                    && !close(Kind.G_NONADJACENT, new Place(from, false), new Place(to, true), FLOW)) {
                close(Kind.G2, from, to, ALL);
            }
        }));
    }

    private boolean close(Kind kind, int from, int to, Set<Edge> by) {
        return close(kind, new Place(from, false), new Place(to, false), by);
    }

    private boolean close(Kind kind, Place from, Place to, Set<Edge> by) {
        List<Integer> back = way(to, from, by);
        if (back.isEmpty()) {
            return false;
        }
        report(kind, back);
        return true;
    }

    /** A transaction on a way, and whether the way came to it by a read-write edge, if that counts. */
    private record Place(int transaction, boolean isAfterReadWrite) {}

    /**
     * The transactions from {@code start} to {@code end}, by breadth-first search; empty when there is no way. One that
     * starts after a read-write edge may have more of them, though none right after another.
     */
    private List<Integer> way(Place start, Place end, Set<Edge> by) {
        Map<Place, Place> cameFrom = new HashMap<>();
        cameFrom.put(start, start);
        ArrayDeque<Place> queue = new ArrayDeque<>(List.of(start));
        while (!queue.isEmpty() && !cameFrom.containsKey(end)) {
            Place at = queue.remove();
            graph.getOrDefault(at.transaction, Map.of()).forEach((next, edges) -> {
                Place there = new Place(next, false);
                if (edges.stream().anyMatch(by::contains) && cameFrom.putIfAbsent(there, at) == null) {
                    queue.add(there);
                }
                Place after = new Place(next, true);
                boolean mayBe = start.isAfterReadWrite && !at.isAfterReadWrite && edges.contains(Edge.READ_WRITE);
                if (mayBe && cameFrom.putIfAbsent(after, at) == null) {
                    queue.add(after);
                }
            });
        }
        List<Integer> way = new ArrayList<>();
        if (cameFrom.containsKey(end)) {
            for (Place at = end; at != start; at = cameFrom.get(at)) {
                way.add(at.transaction);
            }
            way.add(start.transaction);
        }
        return way.reversed();
    }
}
