package io.penstock.bench.program;

import io.penstock.cli.program.Shell;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * A program of one command. Its {@link Command} annotation names it as it is called below {@code scripts}, such as
 * {@code bench cold}. {@link #call} does the work and returns the exit code, one of {@link Shell}.
 */
public abstract class Program implements Callable<Integer> {
    protected final PrintStream out;
    protected final PrintStream err;

    protected Program(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs a command line on the streams of this process, and ends the process. */
    protected static void runAndExit(BiFunction<PrintStream, PrintStream, Program> program, String... arguments) {
        Shell.runAndExit((out, err) -> program.apply(out, err).run(arguments));
    }

    /** Runs a command line and returns its exit code. Once for each program. */
    public final int run(String... arguments) {
        return new Shell(out, err).run(new CommandLine(this), this::beforeReport, arguments);
    }

    /** Runs before a failure is reported. */
    protected void beforeReport() {}

    /** Reports on {@link #err} that the run went wrong, and returns the exit code for that. */
    protected final int failed(String why) {
        err.println(getClass().getAnnotation(Command.class).name() + ": " + why);
        return Shell.FAILED;
    }
}
