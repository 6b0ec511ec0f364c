package io.penstock.bench.experiment.scale;

import io.penstock.bench.program.TextTable;
import java.util.List;
import java.util.Locale;

/**
 * The report of a run. The names of the fields are an interface.
 *
 * @param heapMaxMib what the process could have had, {@code -Xmx}
 * @param poolMib for pages, of that
 */
record ScaleReport(long records, double heapMaxMib, long poolMib, List<ScaleRow> steps, List<TreeRow> trees) {
    ScaleReport {
        steps = List.copyOf(steps);
        trees = List.copyOf(trees);
    }

    static double rounded(double value, double parts) {
        return Math.rint(value * parts) / parts;
    }

    String table() {
        return String.format(Locale.ROOT, "heap at most %.0f MiB, pool %d MiB%n%n", heapMaxMib, poolMib)
                + stepTable()
                + "\n"
                + treeTable();
    }

    private TextTable stepTable() {
        TextTable table = new TextTable(
                "step",
                "count",
                "unit",
                "seconds",
                "CPU s",
                "per s",
                "GETs",
                "PUTs",
                "queue calls",
                "MiB read",
                "MiB written",
                "heap MiB");
        for (ScaleRow row : steps) {
            table.row(List.of(
                    row.step(),
                    whole(row.count()),
                    row.unit(),
                    tenths(row.seconds()),
                    tenths(row.cpuSeconds()),
                    whole((long) row.perSecond()),
                    whole(row.gets()),
                    whole(row.puts()),
                    whole(row.queueCalls()),
                    tenths(row.mibRead()),
                    tenths(row.mibWritten()),
                    tenths(row.heapMib())));
        }
        return table;
    }

    private TextTable treeTable() {
        TextTable table = new TextTable(
                "tree", "records", "height", "pages", "page bytes", "raw bytes", "overhead %", "leaf fill");
        for (TreeRow row : trees) {
            table.row(List.of(
                    row.tree(),
                    whole(row.records()),
                    whole(row.height()),
                    whole(row.pages()),
                    whole(row.bytes()),
                    whole(row.rawBytes()),
                    tenths(row.overheadPercent()),
                    String.format(Locale.ROOT, "%.2f", row.leafFill())));
        }
        return table;
    }

    private static String whole(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String tenths(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }
}
