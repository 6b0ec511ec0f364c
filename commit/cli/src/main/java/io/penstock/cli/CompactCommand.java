package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.report.CompactionReport;
import java.io.PrintStream;
import picocli.CommandLine.Command;

/** {@code penstock compact}. */
@Command(
        name = "compact",
        description = "Drops old tombstones and merges nearly empty leaves. Safe while clients work.",
        sortOptions = false)
final class CompactCommand extends StoreCommand {
    CompactCommand(PrintStream out) {
        super(out, Use.CHANGE);
    }

    @Override
    boolean run(Penstock opened) {
        CompactionReport report = opened.admin().compact();
        print(report, () -> {
            out.println(report.purged() + " tombstones dropped from " + report.rewritten() + " leaves, "
                    + report.joined() + " leaves joined");
            if (report.reformed() > 0) {
                out.println(report.reformed() + " pages brought to the size or compression of their collections");
            }
            if (report.damaged() > 0) {
                out.println(report.damaged() + " trees are damaged and left as they are; see verify");
            }
        });
        return report.damaged() == 0;
    }
}
