package io.penstock.bench.program;

import io.penstock.cli.program.Shell;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * A program of one command. Its {@link Command} annotation names it as it is called below {@code scripts}, such as
 * {@code bench cold}. {@link #call} does the work and returns the exit code, one of {@link Shell}.
 */
@SuppressWarnings("NullAway.Init")
public abstract class Program implements Callable<Integer> {
    protected PrintStream out;
    protected PrintStream err;
    protected Progress progress;

    /** Runs a command line on the streams of this process, and ends the process. */
    protected static void runAndExit(Program program, String... arguments) {
        Shell.runAndExit((out, err) -> program.run(out, err, arguments));
    }

    /** Runs a command line and returns its exit code. Once for each program. */
    public final int run(PrintStream toOut, PrintStream toErr, String... arguments) {
        with(toOut, toErr, Progress.on(toErr));
        return new Shell(out, err).run(new CommandLine(this), progress::end, arguments);
    }

    /** Gives this program, a command of another, its streams. */
    public final Program with(PrintStream toOut, PrintStream toErr, Progress shown) {
        out = toOut;
        err = toErr;
        progress = shown;
        return this;
    }

    /** Reports on {@link #err} that the run went wrong, and returns the exit code for that. */
    protected final int failed(String why) {
        progress.end();
        err.println(getClass().getAnnotation(Command.class).name() + ": " + why);
        return Shell.FAILED;
    }
}
