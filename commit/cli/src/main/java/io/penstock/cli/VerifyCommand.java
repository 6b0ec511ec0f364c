package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.Shell;
import io.penstock.core.CorruptDataException;
import io.penstock.report.CheckpointReport;
import io.penstock.report.GcReport;
import io.penstock.report.RecoveryReport;
import io.penstock.report.VerifyReport;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code penstock verify}. */
@Command(
        name = "verify",
        description = {
            "Checks the whole store: trees, indexes, large payloads, queues, commit logs, orphans, quarantine.",
            "Lists violations, and exits with 1 if there are any; then lists notes.",
            "Run it while no client writes."
        },
        sortOptions = false)
final class VerifyCommand implements Callable<Integer> {
    private static final Duration GRACE = Duration.ofHours(1);

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(
            names = "--repair",
            description = "first recovers dead clients, applies committed log records, and removes"
                    + " orphans older than an hour; safe at any time")
    private boolean repair;

    private final PrintStream out;
    private boolean sound;

    VerifyCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        store.open(repair ? Use.CHANGE : Use.READ, opened -> {
            if (repair) {
                repair(opened);
            }
            print(opened.verify());
        });
        return sound ? Shell.DONE : Shell.FAILED;
    }

    private void repair(Penstock opened) {
        RecoveryReport recovered = opened.recover();
        CheckpointReport applied = apply(opened);
        GcReport collected = opened.gc(GRACE);
        out.println("recovered clients: " + recovered.clients() + ", applied log records: " + applied.records()
                + ", removed orphans: " + collected.deleted());
    }

    /** What damage keeps from being applied is named, and does not keep the rest from being repaired. */
    private CheckpointReport apply(Penstock opened) {
        try {
            return opened.checkpoint();
        } catch (CorruptDataException damaged) {
            out.println("not all was applied: " + damaged.getMessage());
            return CheckpointReport.NONE;
        }
    }

    private void print(VerifyReport report) {
        sound = report.isSound();
        report.violations().forEach(line -> out.println("violation " + line));
        report.notes().forEach(line -> out.println("note " + line));
        out.println("trees: " + report.trees() + ", pages: " + report.pages() + ", records: " + report.records()
                + ", large payloads: " + report.payloads());
        out.println(sound ? "the store is sound" : report.violations().size() + " violations");
    }
}
