package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.Shell;
import io.penstock.core.Compression;
import io.penstock.core.InvalidRequestException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock repage}. */
@Command(
        name = "repage",
        description = "Changes the size of a collection's leaves and the compression of its pages, as they are written"
                + " next; then compact changes the others. Safe while clients work.",
        sortOptions = false)
final class RepageCommand implements Callable<Integer> {
    @Mixin
    private final StoreOptions store = new StoreOptions();

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

    private final PrintStream out;

    RepageCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        Compression by = Compression.labelled(compression)
                .orElseThrow(() -> new InvalidRequestException(
                        "there is no such compression; use none or zstd", "compression", compression));
        store.open(Use.CHANGE, opened -> repage(opened, by));
        return Shell.DONE;
    }

    private void repage(Penstock opened, Compression by) {
        opened.records(collection).repage(pageBytes, by);
        out.println(collection + " has leaves of " + pageBytes + " bytes and compression " + by.label()
                + " from now on; run compact for those it has");
    }
}
