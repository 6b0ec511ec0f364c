package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.report.GcReport;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code penstock gc}. */
@Command(
        name = "gc",
        description = "Lists objects that nothing refers to; with --delete, removes them. Safe while clients work.",
        sortOptions = false)
final class GcCommand extends StoreCommand {
    @Option(names = "--delete", description = "removes them; without it nothing is changed")
    private boolean delete;

    @Option(
            names = "--grace",
            paramLabel = "AGE",
            description = "keeps younger objects, such as 90s, 15m, 1h or 2d; default: 1h")
    private Duration grace = Duration.ofHours(1);

    GcCommand(PrintStream out) {
        super(out, Use.READ);
    }

    @Override
    Use use() {
        return delete ? Use.CHANGE : Use.READ;
    }

    @Override
    boolean run(Penstock opened) {
        GcReport report =
                delete ? opened.admin().removeGarbage(grace) : opened.admin().findGarbage(grace);
        print(report, () -> {
            out.println(
                    report.objects() + " objects, " + report.orphans() + " orphans of " + report.bytes() + " bytes, "
                            + (delete ? report.deleted() + " deleted" : "nothing deleted (a dry run; see --delete)"));
            if (report.queues() > 0) {
                out.println(
                        report.queues() + " queues of dropped collections and indexes" + (delete ? " deleted" : ""));
            }
            report.kept()
                    .forEach((reason, count) -> out.println("kept " + count + " "
                            + reason.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        });
        return true;
    }
}
