package io.penstock.commit.command;

import io.penstock.commit.Layout;
import io.penstock.commit.Penstock;
import io.penstock.commit.Settings;
import io.penstock.core.InvalidRequestException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which store a command is for. */
final class StoreOptions {
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "says this")
    private boolean help;

    @Option(names = "--dir", paramLabel = "D", description = "the directory of a local store")
    private @Nullable Path directory;

    @Option(names = "--prefix", paramLabel = "P", description = "the store's prefix; default: penstock")
    private String prefix = "penstock";

    @Option(names = "--partitions", paramLabel = "N", description = "PU queues for each tree; default: 1")
    private int partitions = 1;

    /** Runs {@code body} on the store, opened with the settings these options name and {@code change} completes. */
    void open(UnaryOperator<Settings> change, StoreAction body) {
        Path local = directory;
        if (local == null) {
            throw new InvalidRequestException("which store is not said; give --dir");
        }
        // A store that is only looked at is not to come into being by that.
        if (!Files.isDirectory(local)) {
            throw new InvalidRequestException("there is no such directory; check --dir", "dir", local);
        }
        use(Settings.local(local), change, body);
    }

    private void use(Settings where, UnaryOperator<Settings> change, StoreAction body) {
        Settings settings = where.prefix(prefix).layout(Layout.partitioned(partitions));
        try (Penstock store = Penstock.open(change.apply(settings))) {
            body.run(store);
        }
    }

    /** What a command does with an open store. */
    @FunctionalInterface
    interface StoreAction {
        void run(Penstock store);
    }
}
