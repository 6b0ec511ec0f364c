package io.penstock.cli;

import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.Shell;
import io.penstock.report.Backlog;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code penstock backlog}. */
@Command(
        name = "backlog",
        description = "Counts the messages, and the segments of commit logs, that are committed and not yet applied.",
        sortOptions = false)
final class BacklogCommand implements Callable<Integer> {
    @Mixin
    private final StoreOptions store = new StoreOptions();

    private final PrintStream out;

    BacklogCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        store.open(Use.READ, opened -> {
            Backlog backlog = opened.backlog();
            out.println("pending messages: " + backlog.pendingMessages());
            out.println("atomic messages: " + backlog.atomicMessages());
            out.println("log segments: " + backlog.logSegments());
            backlog.oldest().ifPresent(age -> out.println("oldest known commit: " + age.toSeconds() + " s"));
            out.println("kept in quarantine: " + opened.quarantine().list().size());
        });
        return Shell.DONE;
    }
}
