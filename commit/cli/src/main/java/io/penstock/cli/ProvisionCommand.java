package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.Shell;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code penstock provision}. */
@Command(
        name = "provision",
        description = "Creates the queues of all collections, for clients that may not create them.",
        sortOptions = false)
final class ProvisionCommand implements Callable<Integer> {
    @Mixin
    private final StoreOptions store = new StoreOptions();

    private final PrintStream out;

    ProvisionCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        store.open(Use.CHANGE, this::provision);
        return Shell.DONE;
    }

    private void provision(Penstock opened) {
        opened.provision();
        out.println("provisioned collections: " + opened.collections().size());
    }
}
