package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import java.io.PrintStream;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code penstock rename}. */
@Command(
        name = "rename",
        description = "Renames a collection; its old name leads to it from then on. Safe while clients work.",
        sortOptions = false)
final class RenameCommand extends StoreCommand {
    @Parameters(index = "0", paramLabel = "COLLECTION", description = "the collection")
    private String collection = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "its new name; 1 to 64 of A-Z a-z 0-9 . _ -")
    private String name = "";

    RenameCommand(PrintStream out) {
        super(out, Use.CHANGE);
    }

    @Override
    boolean run(Penstock opened) {
        opened.admin().rename(collection, name);
        print(Map.of("collection", name), () -> out.println(collection + " is " + name + "; the old name leads to it"));
        return true;
    }
}
