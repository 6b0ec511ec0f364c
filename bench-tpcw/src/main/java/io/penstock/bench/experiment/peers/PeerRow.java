package io.penstock.bench.experiment.peers;

import io.penstock.bench.program.TextTable;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * A row of the report. The names of the fields are an interface.
 *
 * @param ratioToBest Penstock's figure by that of the fastest peer: above 1 where Penstock is faster. 0 where no peer
 *     does the same; their figures are 0 then
 * @param before the figure of an earlier Penstock, measured in turns with this one; 0 where it was not
 * @param allocatedBytes that Penstock allocates for one of {@code unit}
 */
record PeerRow(
        String operation,
        String unit,
        double penstock,
        double h2mvstore,
        double xodus,
        double mapdb,
        double ratioToBest,
        double allocatedBytes,
        double before) {

    /**
     * @param measured what a benchmark, by its method's name, gave for a subject
     * @param earlier what an earlier Penstock gave
     */
    static PeerRow of(Operation operation, BiFunction<String, Subject, Measurement> measured, Measurement earlier) {
        Measurement own = measured.apply(operation.method(), operation.penstock());
        List<Double> peers = Operation.peers().stream()
                .map(peer -> operation.isOwn()
                        ? 0
                        : measured.apply(operation.method(), peer).operationsPerSecond())
                .toList();
        double best = peers.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        return new PeerRow(
                operation.title(),
                operation.unit(),
                Math.rint(own.operationsPerSecond()),
                Math.rint(peers.get(0)),
                Math.rint(peers.get(1)),
                Math.rint(peers.get(2)),
                operation.isOwn() ? 0 : round(own.operationsPerSecond() / best, 100),
                round(own.allocatedBytes(), 10),
                earlier.isEmpty() ? 0 : Math.rint(earlier.operationsPerSecond()));
    }

    private static double round(double value, double parts) {
        return Math.rint(value * parts) / parts;
    }

    static String table(List<PeerRow> rows) {
        TextTable table = new TextTable(
                "operation",
                "unit",
                "penstock",
                "h2mvstore",
                "xodus",
                "mapdb",
                "ratioToBest",
                "allocatedBytes",
                "before");
        for (PeerRow row : rows) {
            Stream<String> figures = Stream.of(row.penstock, row.h2mvstore, row.xodus, row.mapdb)
                    .map(figure -> String.format(Locale.ROOT, "%,.0f", figure));
            Stream<String> rest = Stream.of(
                    String.format(Locale.ROOT, "%.2f", row.ratioToBest),
                    String.format(Locale.ROOT, "%.1f", row.allocatedBytes),
                    String.format(Locale.ROOT, "%,.0f", row.before));
            table.row(Stream.of(Stream.of(row.operation, row.unit), figures, rest)
                    .flatMap(cells -> cells)
                    .toList());
        }
        return table.toString();
    }
}
