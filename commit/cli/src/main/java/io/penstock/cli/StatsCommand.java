package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.report.LogStats;
import io.penstock.report.StoreStats;
import java.io.PrintStream;
import java.util.Locale;
import picocli.CommandLine.Command;

/** {@code penstock stats}. */
@Command(
        name = "stats",
        description =
                "Reads every page and prints the size of each tree: height, pages, bytes, records, tombstones, fill.",
        sortOptions = false)
final class StatsCommand extends StoreCommand {
    /** The list price of a byte and month, in us-east-1 in 2026 ({@code docs/PROFILES.md}). */
    private static final double DOLLARS_A_BYTE = 0.023e-9;

    StatsCommand(PrintStream out) {
        super(out, Use.READ);
    }

    @Override
    boolean run(Penstock opened) {
        StoreStats stats = opened.admin().inspect().stats();
        print(stats, () -> {
            String row = "%-40s %6s %8s %14s %14s %12s %10s %6s%n";
            out.printf(Locale.ROOT, row, "tree", "height", "pages", "bytes", "stored", "records", "tombstones", "fill");
            for (StoreStats.Tree tree : stats.trees()) {
                String name = tree.index().isEmpty() ? tree.collection() : tree.collection() + " index " + tree.index();
                String fill = String.format(Locale.ROOT, "%.2f", tree.leafFill());
                out.printf(
                        Locale.ROOT,
                        row,
                        name,
                        tree.height(),
                        tree.pages(),
                        tree.bytes(),
                        tree.storedBytes(),
                        tree.records(),
                        tree.tombstones(),
                        fill);
            }
            stats.unreadable().forEach(name -> out.println("unreadable definition: " + name + "; see verify"));
            for (LogStats log : stats.logs()) {
                out.printf(
                        Locale.ROOT,
                        "log of domain %s: %d segments, %d bytes; horizon %d of %d, %d bytes in the tail%n",
                        log.domain(),
                        log.segments(),
                        log.bytes(),
                        log.horizon(),
                        log.last(),
                        log.tailBytes());
            }
            objects(stats);
        });
        return true;
    }

    private void objects(StoreStats stats) {
        for (StoreStats.Objects folder : stats.kinds()) {
            out.printf(Locale.ROOT, "objects in %s/: %d, %d bytes%n", folder.folder(), folder.count(), folder.bytes());
        }
        long all = stats.kinds().stream().mapToLong(StoreStats.Objects::bytes).sum();
        out.printf(
                Locale.ROOT,
                "in all %d bytes: $%.2f a month in S3 Standard; requests: see the meter penstock.cost%n",
                all,
                all * DOLLARS_A_BYTE);
    }
}
