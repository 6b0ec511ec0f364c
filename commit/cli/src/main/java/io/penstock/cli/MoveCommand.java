package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.core.Bytes;
import io.penstock.report.MoveProgress;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock move}. */
@Command(
        name = "move",
        description = "Moves a collection into a domain, or out of it; nobody writes to it meanwhile. After a failure"
                + " run it again, or the other way.",
        sortOptions = false)
final class MoveCommand implements Callable<Integer> {
    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--into", paramLabel = "DOMAIN", description = "the domain; 1 to 32 of a-z 0-9 -")
    private @Nullable String domain;

    @Option(names = "--out", description = "out of its domain")
    private boolean out;

    @Parameters(paramLabel = "COLLECTION", description = "the collection")
    private String collection = "";

    private final PrintStream printed;

    MoveCommand(PrintStream printed) {
        this.printed = printed;
    }

    @Override
    public Integer call() {
        if (out == (domain != null)) {
            throw new UsageException("say where: --into DOMAIN, or --out");
        }
        store.open(Use.CHANGE, this::run);
        return Shell.DONE;
    }

    private void run(Penstock opened) {
        RecordCollection<Bytes, Bytes> found = opened.records(collection);
        Consumer<MoveProgress> progress =
                now -> printed.println(now.step() + (now.left() == 0 ? "" : " left=" + now.left()));
        String into = domain;
        if (into == null) {
            found.moveOut(progress);
            printed.println(collection + " belongs to no domain; write at the weak levels");
        } else {
            found.moveInto(into, progress);
            printed.println(collection + " belongs to domain " + into + "; write at SNAPSHOT or SERIALIZABLE");
        }
    }
}
