package io.penstock.bench.experiment.peers;

import io.penstock.bench.program.Rows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.util.ListStatistics;

/** The figures of each iteration of each benchmark, and the rows that their medians make. For one thread. */
final class Scores {
    private final Map<Measured, List<Iteration>> iterations = new HashMap<>();

    /** A benchmark of a subject. */
    record Measured(String method, Subject subject, boolean before) {}

    /** The operations per second of processor time, and the bytes that one of them allocates. */
    record Iteration(double perSecond, double allocatedBytes) {}

    void add(Measured measured, Iteration iteration) {
        iterations.computeIfAbsent(measured, m -> new ArrayList<>()).add(iteration);
    }

    /** Returns the median, so that other work on the machine does not count; zeros for what was not measured. */
    private Iteration median(Measured measured) {
        List<Iteration> all = iterations.getOrDefault(measured, List.of(new Iteration(0, 0)));
        return new Iteration(
                median(all.stream().mapToDouble(Iteration::perSecond).toArray()),
                median(all.stream().mapToDouble(Iteration::allocatedBytes).toArray()));
    }

    private static double median(double[] values) {
        return new ListStatistics(values).getPercentile(50);
    }

    /** Returns a row for each operation. A ratio above 1 says that Penstock is faster than the fastest peer. */
    Rows rows() {
        Rows rows = new Rows()
                .column("operation", "operation", "%s")
                .column("unit", "unit", "%s")
                .column("penstock", "penstock", "%,.0f")
                .column("h2mvstore", "h2mvstore", "%,.0f")
                .column("xodus", "xodus", "%,.0f")
                .column("mapdb", "mapdb", "%,.0f")
                .column("ratioToBest", "ratioToBest", "%.2f")
                .column("allocatedBytes", "allocatedBytes", "%.1f")
                .column("before", "before", "%,.0f");
        for (Operation operation : Operation.ALL) {
            Iteration own = median(new Measured(operation.method(), operation.penstock(), false));
            Iteration before = median(new Measured(operation.method(), operation.penstock(), true));
            double[] peers = Operation.PEERS.stream()
                    .mapToDouble(peer ->
                            operation.isOwn() ? 0 : median(new Measured(operation.method(), peer, false)).perSecond)
                    .toArray();
            double best = Math.max(peers[0], Math.max(peers[1], peers[2]));
            rows.add(
                    operation.title(),
                    operation.unit(),
                    Math.rint(own.perSecond),
                    Math.rint(peers[0]),
                    Math.rint(peers[1]),
                    Math.rint(peers[2]),
                    best == 0 ? 0.0 : Rows.rounded(own.perSecond / best, 100),
                    Rows.rounded(own.allocatedBytes, 10),
                    Math.rint(before.perSecond));
        }
        return rows;
    }
}
