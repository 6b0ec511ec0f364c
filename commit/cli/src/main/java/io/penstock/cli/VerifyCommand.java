package io.penstock.cli;

import io.penstock.Admin;
import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.core.CorruptDataException;
import io.penstock.report.CheckpointReport;
import io.penstock.report.GcReport;
import io.penstock.report.RecoveryReport;
import io.penstock.report.VerifyReport;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
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
final class VerifyCommand extends StoreCommand {
    private static final Duration GRACE = Duration.ofHours(1);

    @Option(
            names = "--repair",
            description = "first recovers dead clients, applies committed log records, and removes"
                    + " orphans older than an hour; safe at any time")
    private boolean repair;

    VerifyCommand(PrintStream out) {
        super(out, Use.READ);
    }

    @Override
    Use use() {
        return repair ? Use.CHANGE : Use.READ;
    }

    @Override
    boolean run(Penstock opened) {
        if (repair) {
            repair(opened.admin());
        }
        return print(opened.admin().verify());
    }

    private void repair(Admin admin) {
        RecoveryReport recovered = admin.recover();
        CheckpointReport applied = apply(admin);
        GcReport collected = admin.removeGarbage(GRACE);
        print(
                List.of(recovered, applied, collected),
                () -> out.println("recovered clients: " + recovered.clients() + ", applied log records: "
                        + applied.records() + ", removed orphans: " + collected.deleted()));
    }

    /**
     * Applies what is pending. Changes that damage keeps from being applied are reported, and do not keep the rest from
     * being repaired.
     */
    private CheckpointReport apply(Admin admin) {
        try {
            return admin.checkpoint();
        } catch (CorruptDataException damaged) {
            String why = "not all was applied: " + damaged.getMessage();
            print(why, () -> out.println(why));
            return CheckpointReport.NONE;
        }
    }

    private boolean print(VerifyReport report) {
        print(report, () -> {
            report.violations().forEach(line -> out.println("violation " + line));
            report.notes().forEach(line -> out.println("note " + line));
            out.println("trees: " + report.trees() + ", pages: " + report.pages() + ", records: " + report.records()
                    + ", large payloads: " + report.payloads());
            out.println(
                    report.isSound()
                            ? "the store is sound"
                            : report.violations().size() + " violations");
        });
        return report.isSound();
    }
}
