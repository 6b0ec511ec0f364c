package io.penstock.bench.tpcw;

import io.penstock.bench.program.Progress;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import java.io.PrintStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The benchmark's program, {@code scripts/tpcw}. It exits with {@link Shell#DONE} only if every level ended with
 * nothing pending and every tree valid.
 */
@Command(
        name = "tpcw",
        description = "The TPC-W bookstore on a Penstock store.",
        synopsisSubcommandLabel = "COMMAND",
        footer = "serve, the bookstore in a browser, is a program of its own: scripts/tpcw serve --help")
public final class Tpcw implements Runnable {
    private Tpcw() {}

    @Override
    public void run() {
        throw new UsageException("no command is given; use: compare, cost, report, run, serve");
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        Shell.runAndExit((out, err) -> run(out, err, Progress.on(err), arguments));
    }

    /** Runs a command line and returns its exit code. */
    static int run(PrintStream out, PrintStream err, Progress progress, String... arguments) {
        CommandLine line = new CommandLine(new Tpcw());
        line.addSubcommand(new CompareCommand().with(out, err, progress));
        line.addSubcommand(new CostCommand().with(out, err, progress));
        line.addSubcommand(new ReportCommand().with(out, err, progress));
        line.addSubcommand(new RunCommand().with(out, err, progress));
        return new Shell(out, err).run(line, progress::end, arguments);
    }
}
