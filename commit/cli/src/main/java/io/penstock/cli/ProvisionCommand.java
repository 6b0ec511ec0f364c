package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code penstock provision}. */
@Command(
        name = "provision",
        description = "Creates the queues of all collections, for clients that may not create them.",
        sortOptions = false)
final class ProvisionCommand extends StoreCommand {
    ProvisionCommand(PrintStream out) {
        super(out, Use.CHANGE);
    }

    @Override
    boolean run(Penstock opened) {
        opened.admin().provision();
        List<String> collections = opened.collections();
        print(collections, () -> out.println("provisioned collections: " + collections.size()));
        return true;
    }
}
