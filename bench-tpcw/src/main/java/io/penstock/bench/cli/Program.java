package io.penstock.bench.cli;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** A program of one command, which a script of its name starts. {@link #call} does the work and gives the exit code. */
public abstract class Program implements Callable<Integer> {
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            order = Integer.MAX_VALUE,
            description = "says this")
    private boolean help;

    protected final PrintStream out;
    protected final PrintStream err;
    private final Shell shell;

    /** @param name as below {@code scripts}, with its subcommand if it has one */
    protected Program(String name, PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
        this.shell = new Shell(name, "scripts/" + name + " --help", out, err);
    }

    /** Runs a command line on the process's streams, and ends the process. */
    protected static void runAndExit(BiFunction<PrintStream, PrintStream, Program> program, String... arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        System.exit(program.apply(out, err).run(arguments));
    }

    /** Runs a command line and returns its exit code. Once for each program. */
    public final int run(String... arguments) {
        return shell.run(new CommandLine(this), this::beforeComplaint, arguments);
    }

    /** Runs before a failure is told. */
    protected void beforeComplaint() {}

    /** Tells that it came out wrong, on {@link #err}, and gives the exit code for that. */
    protected final int notClean(String why) {
        err.println(shell.name() + ": " + why);
        return Shell.NOT_CLEAN;
    }
}
