package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.report.RestoreReport;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code penstock restore}. */
@Command(
        name = "restore",
        description =
                "Restores a backup into a place where there is no store, or an empty one. Repeat it when it failed.",
        sortOptions = false)
final class RestoreCommand extends StoreCommand {
    @Option(
            names = "--from",
            paramLabel = "PLACE",
            required = true,
            description = "the place of the backups: a directory, or s3://bucket/folder, gs:// or azblob://")
    private String from = "";

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "the moment whose state is wanted, such as 2026-11-26T10:15:30Z; default: the last backup's")
    private @Nullable Instant at;

    RestoreCommand(PrintStream out) {
        super(out, Use.MAKE);
    }

    @Override
    boolean run(Penstock opened) {
        RestoreReport report = new NamedPlace(from)
                .use(
                        false,
                        store(),
                        (objects, folder) -> opened.admin().restore(objects, folder, Optional.ofNullable(at)));
        print(report, () -> say(out, "restored", report));
        return report.missing() == 0;
    }

    /** Prints what was done, in lines for people. */
    static void say(PrintStream out, String done, RestoreReport report) {
        out.println(done + " " + report.collections() + " collections: " + report.records() + " records, and "
                + report.transactions() + " transactions after them");
        if (report.unbuilt() > 0) {
            out.println(report.unbuilt() + " indexes were added to their collections later; let the program build them"
                    + " (RecordCollection.build)");
        }
        if (report.missing() > 0) {
            out.println(report.missing() + " records are missing, since their large payloads were replaced before a"
                    + " backup could take them; restore a later moment");
        }
    }
}
