package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.Shell;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code penstock rename}. */
@Command(
        name = "rename",
        description = "Renames a collection; its old name leads to it from then on. Safe while clients work.",
        sortOptions = false)
final class RenameCommand implements Callable<Integer> {
    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Parameters(index = "0", paramLabel = "COLLECTION", description = "the collection")
    private String collection = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "its new name; 1 to 64 of A-Z a-z 0-9 . _ -")
    private String name = "";

    private final PrintStream out;

    RenameCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        store.open(Use.CHANGE, this::run);
        return Shell.DONE;
    }

    private void run(Penstock opened) {
        opened.records(collection).rename(name);
        out.println(collection + " is " + name + "; the old name leads to it");
    }
}
