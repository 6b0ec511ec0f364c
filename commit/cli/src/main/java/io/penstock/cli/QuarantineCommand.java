package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.Quarantine;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.UsageException;
import io.penstock.report.QuarantineItem;
import io.penstock.report.QuarantineReport;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock quarantine list|show|apply}. */
@Command(
        name = "quarantine",
        description = "What could not be applied: messages in quarantine, and log records parked for a damaged page.",
        synopsisSubcommandLabel = "list|show|apply")
final class QuarantineCommand implements Runnable {
    @Override
    public void run() {
        throw new UsageException("no subcommand is given; it is list, show or apply");
    }

    static CommandLine line(PrintStream out) {
        return new CommandLine(new QuarantineCommand())
                .addSubcommand(new ListCommand(out))
                .addSubcommand(new ShowCommand(out))
                .addSubcommand(new ApplyCommand(out));
    }

    @Command(name = "list", description = "All that is kept, a line for each object.", sortOptions = false)
    static final class ListCommand extends StoreCommand {
        ListCommand(PrintStream out) {
            super(out, Use.READ);
        }

        @Override
        boolean run(Penstock opened) {
            List<QuarantineItem> items = opened.admin().quarantine().list();
            print(items, () -> {
                if (items.isEmpty()) {
                    out.println("none");
                }
                items.forEach(item -> out.println(item.id() + " collection=" + item.collection() + " place="
                        + item.place() + " bytes=" + item.bytes() + " age=" + item.age() + " reason=\""
                        + item.reason() + "\""));
            });
            return true;
        }
    }

    @Command(name = "show", description = "One object, a line for each log record.", sortOptions = false)
    static final class ShowCommand extends StoreCommand {
        @Option(names = "--bytes", description = "also shows keys and payloads")
        private boolean bytes;

        @Parameters(paramLabel = "ID", description = "as list shows it")
        private String id = "";

        ShowCommand(PrintStream out) {
            super(out, Use.READ);
        }

        @Override
        boolean run(Penstock opened) {
            List<String> lines = opened.admin().quarantine().show(id, bytes);
            print(lines, () -> lines.forEach(out::println));
            return true;
        }
    }

    @Command(
            name = "apply",
            description = {
                "Applies all that is kept, or one object; what is applied is removed.",
                "Exits with 1 if something stays. Safe while clients work, and to repeat."
            },
            sortOptions = false)
    static final class ApplyCommand extends StoreCommand {
        @Option(
                names = "--even-old",
                description = "also log records older than 29 days, which may bring back what was deleted since")
        private boolean evenOld;

        @Parameters(paramLabel = "ID", arity = "0..1", description = "as list shows it; default: all")
        private @Nullable String id;

        ApplyCommand(PrintStream out) {
            super(out, Use.CHANGE);
        }

        @Override
        boolean run(Penstock opened) {
            String one = id;
            Quarantine quarantine = opened.admin().quarantine();
            QuarantineReport report = one == null ? quarantine.applyAll(evenOld) : quarantine.apply(one, evenOld);
            Map<String, String> kept = new TreeMap<>(report.kept());
            print(report, () -> {
                out.println(report.applied() + " objects applied, " + report.records() + " log records");
                kept.forEach((name, why) -> out.println("kept " + name + " reason=\"" + why + "\""));
            });
            return kept.isEmpty();
        }
    }
}
