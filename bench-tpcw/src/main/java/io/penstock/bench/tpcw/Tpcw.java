package io.penstock.bench.tpcw;

import io.penstock.bench.cli.Progress;
import io.penstock.bench.cli.ProgressBar;
import io.penstock.bench.cli.Shell;
import io.penstock.bench.cli.UsageException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program. Exit codes: {@link #CLEAN}, {@link #NOT_CLEAN}, {@link #USAGE}. */
public final class Tpcw {
    /** Every level ended with nothing pending and no tree violated. */
    static final int CLEAN = Shell.CLEAN;

    /** A level did not, or could not be run to its end. */
    static final int NOT_CLEAN = Shell.NOT_CLEAN;

    /** The command line is wrong, or names what is not there or not allowed. */
    static final int USAGE = Shell.USAGE;

    @Command(
            name = "tpcw",
            description = "The TPC-W bookstore on a Penstock store.",
            synopsisSubcommandLabel = "COMMAND")
    private static final class Root implements Runnable {
        @SuppressWarnings("UnusedVariable") // picocli acts on it
        @Option(
                names = {"-h", "--help"},
                usageHelp = true,
                description = "says this")
        private boolean help;

        @Override
        public void run() {
            throw new UsageException("no command is given; use: compare");
        }
    }

    private Tpcw() {}

    /** Runs a command line. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(out, err, ProgressBar.on(err), arguments));
    }

    /** Runs a command line and returns its exit code. */
    static int run(PrintStream out, PrintStream err, Progress progress, String... arguments) {
        Shell shell = new Shell("tpcw", "scripts/tpcw compare --help", out, err);
        CommandLine line = new CommandLine(new Root());
        line.addSubcommand(new CompareCommand(out, err, progress));
        return shell.run(line, progress::end, arguments);
    }
}
