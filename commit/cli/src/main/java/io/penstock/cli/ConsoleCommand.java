package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.console.Console;
import io.penstock.console.ConsoleServer;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code penstock console}: until Ctrl-C. */
@Command(
        name = "console",
        description = {
            "Shows a store in a browser of this machine, until Ctrl-C: collections, records, indexes, commit logs,",
            "clients, backlog, quarantine, cost. Changes nothing."
        },
        sortOptions = false)
final class ConsoleCommand implements Callable<Integer> {
    private static final int PORT_MAX = 65_535;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--port", paramLabel = "P", description = "0 for any that is free; default: 8181")
    private int port = 8181;

    private final PrintStream out;

    ConsoleCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        UsageException.requireRange("--port", port, 0, PORT_MAX);
        return store.open(Use.READ, this::serve) ? Shell.DONE : Shell.FAILED;
    }

    private boolean serve(Penstock opened, Settings settings) {
        Console console = new Console(opened, settings, store.name());
        try (ConsoleServer server = ConsoleServer.start(console, opened.tasks(), port)) {
            out.println(server.address() + " shows " + store.name() + "; Ctrl-C ends it");
            if (!out.checkError()) {
                opened.tasks().promise().await();
            }
            return true;
        }
    }
}
