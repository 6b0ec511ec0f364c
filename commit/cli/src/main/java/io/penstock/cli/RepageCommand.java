package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.core.Compression;
import java.io.PrintStream;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock repage}. */
@Command(
        name = "repage",
        description = "Changes the size of a collection's leaves and the compression of its pages, as they are written"
                + " next; then compact changes the others. Safe while clients work.",
        sortOptions = false)
final class RepageCommand extends StoreCommand {
    @Option(
            names = "--page-bytes",
            paramLabel = "N",
            required = true,
            description = "the size at which leaves split, 512 to 16777216")
    private int pageBytes;

    @Option(names = "--compression", paramLabel = "NAME", required = true, description = "none or zstd")
    private String compression = "";

    @Parameters(paramLabel = "COLLECTION", description = "the collection")
    private String collection = "";

    private Compression by = Compression.NONE;

    RepageCommand(PrintStream out) {
        super(out, Use.CHANGE);
    }

    @Override
    public Integer call() {
        by = compression(compression);
        return super.call();
    }

    @Override
    boolean run(Penstock opened) {
        opened.admin().repage(collection, pageBytes, by);
        print(
                Map.of("collection", collection),
                () -> out.println(collection + " has leaves of " + pageBytes + " bytes and compression " + by.label()
                        + " from now on; run compact for those it has"));
        return true;
    }
}
