package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.report.RestoreReport;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code penstock copy}. */
@Command(
        name = "copy",
        description =
                "Copies the store while clients work, as it is at one moment, into a place where there is no store, or"
                        + " an empty one. Repeat it when it failed.",
        sortOptions = false)
final class CopyCommand extends StoreCommand {
    @Option(
            names = "--to",
            paramLabel = "PLACE",
            required = true,
            description =
                    "a directory, or s3://bucket/prefix, gs:// or azblob://; with the keys and servers of the store")
    private String to = "";

    CopyCommand(PrintStream out) {
        super(out, Use.READ);
    }

    @Override
    boolean run(Penstock opened) {
        return store().at(new NamedPlace(to)).open(Use.MAKE, (copy, settings) -> {
            RestoreReport report = opened.admin().copy(copy);
            print(report, () -> RestoreCommand.say(out, "copied", report));
            return report.missing() == 0;
        });
    }
}
