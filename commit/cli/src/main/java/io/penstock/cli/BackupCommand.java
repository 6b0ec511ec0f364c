package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.UsageException;
import io.penstock.core.object.ObjectStore;
import io.penstock.report.BackupReport;
import java.io.PrintStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code penstock backup}. */
@Command(
        name = "backup",
        description =
                "Takes a backup while clients work: the first one of all records, later ones of what was committed"
                        + " since.",
        sortOptions = false)
final class BackupCommand extends StoreCommand {
    @Option(
            names = "--to",
            paramLabel = "PLACE",
            required = true,
            description = "a directory, or s3://bucket/folder, gs:// or azblob://; for the backups of one store")
    private String to = "";

    @Option(names = "--full", description = "takes all records again, so that restoring stays quick")
    private boolean full;

    @Option(
            names = "--keep",
            paramLabel = "N",
            description = "removes all but the newest N full backups, and what came after the others")
    private @Nullable Integer keep;

    @Option(
            names = "--keep-for",
            paramLabel = "TIME",
            description = "removes full backups that no moment of so long a time needs, such as 30d; with --keep, of"
                    + " those that are more than N")
    private @Nullable Duration keepFor;

    BackupCommand(PrintStream out) {
        super(out, Use.READ);
    }

    @Override
    boolean run(Penstock opened) {
        UsageException.requireRange("--keep", keep == null ? 1 : keep, 1, Integer.MAX_VALUE);
        return new NamedPlace(to).use(true, store(), (objects, folder) -> backUp(opened, objects, folder));
    }

    private boolean backUp(Penstock opened, ObjectStore objects, String folder) {
        BackupReport report = opened.admin().backup(objects, folder, full);
        boolean removes = keep != null || keepFor != null;
        long removed = removes
                ? opened.admin()
                        .keepBackups(
                                objects, folder, keep == null ? 1 : keep, keepFor == null ? Duration.ZERO : keepFor)
                : 0;
        print(report, () -> {
            out.println((report.full() ? "full" : "incremental") + " backup: " + report.records() + " records, "
                    + report.transactions() + " transactions, " + report.bytes() + " bytes; newest commit "
                    + report.takenAt());
            if (removes) {
                out.println("full backups removed: " + removed);
            }
        });
        return true;
    }
}
