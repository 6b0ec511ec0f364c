package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import java.io.PrintStream;
import picocli.CommandLine.Command;

/** {@code penstock rotate-keys}. */
@Command(
        name = "rotate-keys",
        description = "Adds a data key to an encrypted store in use, and seals all keys by the current master key.",
        sortOptions = false)
final class RotateKeysCommand extends StoreCommand {
    RotateKeysCommand(PrintStream out) {
        super(out, Use.CHANGE);
    }

    @Override
    boolean run(Penstock opened) {
        int keys = opened.admin().rotateKeys();
        print(keys, () -> out.println("data keys: " + keys));
        return true;
    }
}
