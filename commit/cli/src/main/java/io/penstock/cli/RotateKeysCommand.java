package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import java.io.PrintStream;
import picocli.CommandLine.Command;

/** {@code penstock rotate-keys}. */
@Command(
        name = "rotate-keys",
        description = "Adds a data key to those of an encrypted store, and seals all of them by the current master key,"
                + " while clients work.",
        sortOptions = false)
final class RotateKeysCommand extends StoreCommand {
    RotateKeysCommand(PrintStream out) {
        super(out, Use.CHANGE);
    }

    @Override
    boolean run(Penstock opened) {
        out.println("data keys: " + opened.admin().rotateKeys());
        return true;
    }
}
