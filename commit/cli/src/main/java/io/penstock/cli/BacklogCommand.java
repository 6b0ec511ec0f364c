package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.report.Backlog;
import java.io.PrintStream;
import picocli.CommandLine.Command;

/** {@code penstock backlog}. */
@Command(
        name = "backlog",
        description = "Counts the messages, and the segments of commit logs, that are committed and not yet applied.",
        sortOptions = false)
final class BacklogCommand extends StoreCommand {
    BacklogCommand(PrintStream out) {
        super(out, Use.READ);
    }

    @Override
    boolean run(Penstock opened) {
        Backlog backlog = opened.admin().backlog();
        out.println("pending messages: " + backlog.pendingMessages());
        out.println("atomic messages: " + backlog.atomicMessages());
        out.println("log segments: " + backlog.logSegments());
        backlog.oldest().ifPresent(age -> out.println("oldest known commit: " + age.toSeconds() + " s"));
        out.println("kept in quarantine: " + opened.admin().quarantine().list().size());
        return true;
    }
}
