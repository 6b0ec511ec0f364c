package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.UsageException;
import io.penstock.report.MoveProgress;
import java.io.PrintStream;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock move}. */
@Command(
        name = "move",
        description = "Moves a collection into a domain, or out of it; nobody writes to it meanwhile. After a failure"
                + " run it again, or the other way.",
        sortOptions = false)
final class MoveCommand extends StoreCommand {
    @Option(names = "--into", paramLabel = "DOMAIN", description = "the domain; 1 to 32 of a-z 0-9 -")
    private @Nullable String domain;

    @Option(names = "--out", description = "out of its domain")
    private boolean outside;

    @Parameters(paramLabel = "COLLECTION", description = "the collection")
    private String collection = "";

    MoveCommand(PrintStream out) {
        super(out, Use.CHANGE);
    }

    @Override
    public Integer call() {
        if (outside == (domain != null)) {
            throw new UsageException("say where: --into DOMAIN, or --out");
        }
        return super.call();
    }

    @Override
    boolean run(Penstock opened) {
        Consumer<MoveProgress> progress =
                now -> print(now, () -> out.println(now.step() + (now.left() == 0 ? "" : " left=" + now.left())));
        String into = domain;
        String where;
        if (into == null) {
            opened.admin().moveOut(collection, progress);
            where = "no domain; write at the weak levels";
        } else {
            opened.admin().moveInto(collection, into, progress);
            where = "domain " + into + "; write at SNAPSHOT or SERIALIZABLE";
        }
        print(Map.of("collection", collection), () -> out.println(collection + " belongs to " + where));
        return true;
    }
}
