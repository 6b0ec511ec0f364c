package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.Shell;
import io.penstock.core.Bytes;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock drop}. */
@Command(
        name = "drop",
        description = "Drops a collection with its indexes and all that is pending for it. Safe while clients work.",
        sortOptions = false)
final class DropCommand implements Callable<Integer> {
    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--delete", description = "drops it; without it nothing is changed")
    private boolean delete;

    @Option(names = "--truncate", description = "removes all records, and keeps the collection")
    private boolean truncate;

    @Parameters(paramLabel = "COLLECTION", description = "the collection")
    private String collection = "";

    private final PrintStream out;

    DropCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        store.open(delete ? Use.CHANGE : Use.READ, this::run);
        return Shell.DONE;
    }

    private void run(Penstock opened) {
        RecordCollection<Bytes, Bytes> found = opened.records(collection);
        if (!delete) {
            out.println(collection + " is there; nothing dropped (a dry run; see --delete)");
        } else if (truncate) {
            found.truncate();
            out.println(collection + " emptied; gc removes what is left an hour from now");
        } else {
            found.drop();
            out.println(collection + " dropped; gc removes what is left an hour from now");
        }
    }
}
