package io.penstock.cli;

import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.report.Backlog;
import java.io.PrintStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code penstock backlog}: once, or as a live view. */
@Command(
        name = "backlog",
        description = "Counts the messages, and the segments of commit logs, that are committed and not yet applied.",
        sortOptions = false)
final class BacklogCommand extends StoreCommand {
    private static final String CLEAR = "\u001b[H\u001b[2J";

    @Option(
            names = "--watch",
            paramLabel = "TIME",
            description =
                    "shows a screen of backlog, commit logs, checkpoints and clients, and of the requests and dollars"
                            + " of this view itself, and shows it again each time, such as 2s, until it is stopped")
    private @Nullable Duration every;

    @Option(names = "--once", description = "with --watch: ends after the first screen that has rates")
    private boolean once;

    BacklogCommand(PrintStream out) {
        super(out, Use.READ);
    }

    @Override
    public Integer call() {
        Duration pause = every;
        if (pause == null) {
            return super.call();
        }
        if (pause.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new UsageException("--watch must be at least 1 second: each screen asks for every queue and log");
        }
        var unused = store().open(use(), (opened, settings) -> watch(opened, settings.meters(), pause));
        return Shell.DONE;
    }

    @Override
    boolean run(Penstock opened) {
        Backlog backlog = opened.admin().backlog();
        int kept = opened.admin().quarantine().list().size();
        print(new Counts(backlog, kept), () -> {
            out.println("pending messages: " + backlog.pendingMessages());
            out.println("atomic messages: " + backlog.atomicMessages());
            out.println("log segments: " + backlog.logSegments());
            backlog.oldest().ifPresent(age -> out.println("oldest known commit: " + age.toSeconds() + " s"));
            out.println("kept in quarantine: " + kept);
        });
        return true;
    }

    private record Counts(Backlog backlog, int quarantined) {}

    private boolean watch(Penstock opened, MeterRegistry meters, Duration pause) {
        StoreLook last = StoreLook.at(opened, meters);
        boolean more = true;
        while (more) {
            opened.tasks().sleep(pause);
            StoreLook now = StoreLook.at(opened, meters);
            StoreLook.Rates rates = now.since(last);
            // A program that reads the screens has no use for the code that clears one.
            String start = once || System.console() == null ? "" : CLEAR;
            print(rates, () -> out.println(start + String.join("\n", rates.lines())));
            last = now;
            more = !once && !out.checkError();
        }
        return true;
    }
}
