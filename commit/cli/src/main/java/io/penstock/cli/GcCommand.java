package io.penstock.cli;

import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.Shell;
import io.penstock.report.GcReport;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code penstock gc}. */
@Command(
        name = "gc",
        description = "Lists objects that nothing refers to; with --delete, removes them. Safe while clients work.",
        sortOptions = false)
final class GcCommand implements Callable<Integer> {
    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--delete", description = "removes them; without it nothing is changed")
    private boolean delete;

    @Option(
            names = "--grace",
            paramLabel = "AGE",
            description = "keeps younger objects, such as 90s, 15m, 1h or 2d; default: 1h")
    private Duration grace = Duration.ofHours(1);

    private final PrintStream out;

    GcCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        store.open(delete ? Use.CHANGE : Use.READ, opened -> print(delete ? opened.gc(grace) : opened.garbage(grace)));
        return Shell.DONE;
    }

    private void print(GcReport report) {
        out.println(report.objects() + " objects, " + report.orphans() + " orphans of " + report.bytes() + " bytes, "
                + (delete ? report.deleted() + " deleted" : "nothing deleted (a dry run; see --delete)"));
        if (report.queues() > 0) {
            out.println(report.queues() + " queues of dropped collections and indexes" + (delete ? " deleted" : ""));
        }
        report.kept()
                .forEach((reason, count) -> out.println("kept " + count + " "
                        + reason.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
    }
}
