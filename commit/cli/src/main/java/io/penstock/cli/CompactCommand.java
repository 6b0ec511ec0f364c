package io.penstock.cli;

import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.Shell;
import io.penstock.report.CompactionReport;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code penstock compact}. */
@Command(
        name = "compact",
        description = "Drops old tombstones and merges nearly empty leaves. Safe while clients work.",
        sortOptions = false)
final class CompactCommand implements Callable<Integer> {
    @Mixin
    private final StoreOptions store = new StoreOptions();

    private final PrintStream out;
    private boolean whole;

    CompactCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        store.open(Use.CHANGE, opened -> {
            CompactionReport report = opened.compact();
            out.println(report.purged() + " tombstones dropped from " + report.rewritten() + " leaves, "
                    + report.joined() + " leaves joined");
            if (report.reformed() > 0) {
                out.println(report.reformed() + " pages brought to the size or compression of their collections");
            }
            whole = report.damaged() == 0;
            if (!whole) {
                out.println(report.damaged() + " trees are damaged and left as they are; see verify");
            }
        });
        return whole ? Shell.DONE : Shell.FAILED;
    }
}
