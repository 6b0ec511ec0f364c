package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import java.io.PrintStream;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock drop}. */
@Command(
        name = "drop",
        description = "Drops a collection with its indexes and all that is pending for it. Safe while clients work.",
        sortOptions = false)
final class DropCommand extends StoreCommand {
    @Option(names = "--delete", description = "drops it; without it nothing is changed")
    private boolean delete;

    @Option(names = "--truncate", description = "removes all records, and keeps the collection")
    private boolean truncate;

    @Parameters(paramLabel = "COLLECTION", description = "the collection")
    private String collection = "";

    DropCommand(PrintStream out) {
        super(out, Use.READ);
    }

    @Override
    Use use() {
        return delete ? Use.CHANGE : Use.READ;
    }

    @Override
    boolean run(Penstock opened) {
        String found = opened.rawCollection(collection).name();
        if (delete && truncate) {
            opened.admin().truncate(found);
        } else if (delete) {
            opened.admin().drop(found);
        }
        String done = !delete
                ? " is there; nothing dropped (a dry run; see --delete)"
                : (truncate ? " emptied" : " dropped") + "; gc removes what is left an hour from now";
        print(Map.of("collection", found, "dropped", delete), () -> out.println(collection + done));
        return true;
    }
}
