package io.penstock.cli;

import io.penstock.cli.program.Shell;
import io.penstock.core.InvalidRequestException;
import io.penstock.report.GcReport;
import java.io.PrintStream;
import java.time.Duration;
import java.time.format.DateTimeParseException;
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
    private String grace = "1h";

    private final PrintStream out;

    GcCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        Duration age = age(grace);
        store.open(
                settings -> settings.readOnly(!delete), opened -> print(delete ? opened.gc(age) : opened.garbage(age)));
        return Shell.DONE;
    }

    private static Duration age(String text) {
        String upper = text.toUpperCase(Locale.ROOT);
        try {
            Duration age = Duration.parse(upper.endsWith("D") ? "P" + upper : "PT" + upper);
            if (!age.isNegative()) {
                return age;
            }
        } catch (DateTimeParseException e) {
            // told below
        }
        throw new InvalidRequestException("--grace is a duration such as 90s, 15m, 1h or 2d", "given", text);
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
