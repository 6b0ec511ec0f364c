package io.penstock.cli;

import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The program. Exit codes: {@link #DONE}, {@link #FAILED}, {@link #USAGE}. */
@Command(name = "penstock", description = "Looks after a Penstock store.", synopsisSubcommandLabel = "COMMAND")
public final class PenstockCommand implements Runnable {
    /** Done, and all is well. */
    static final int DONE = 0;

    /** The store could not be reached or read, or something in it is wrong. */
    static final int FAILED = 1;

    /** The command line is wrong. */
    static final int USAGE = 2;

    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "says this")
    private boolean help;

    private PenstockCommand() {}

    @Override
    public void run() {
        throw new InvalidRequestException("no command is given");
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(out, err, arguments));
    }

    /** Runs a command line and returns its exit code. */
    static int run(PrintStream out, PrintStream err, String... arguments) {
        CommandLine line = new CommandLine(new PenstockCommand());
        line.addSubcommand(new BacklogCommand(out));
        line.addSubcommand(new CompactCommand(out));
        line.addSubcommand(new ExportCommand(out, err));
        line.addSubcommand(new ImportCommand(out, err, System.in));
        line.addSubcommand(new GcCommand(out));
        line.addSubcommand(InspectCommand.line(out));
        line.addSubcommand(new PolicyCommand(out));
        line.addSubcommand(new ProvisionCommand(out));
        line.addSubcommand(new StatsCommand(out));
        line.addSubcommand(new SweepCommand(out));
        line.addSubcommand(new VerifyCommand(out));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
        line.setParameterExceptionHandler((problem, given) -> complain(err, problem));
        line.setExecutionExceptionHandler((problem, command, parsed) -> failed(err, problem));
        return line.execute(arguments);
    }

    private static int failed(PrintStream err, Exception problem) throws Exception {
        if (problem instanceof StoreException) {
            err.println("penstock: " + problem.getMessage());
            return problem instanceof InvalidRequestException ? USAGE : FAILED;
        }
        throw problem;
    }

    private static int complain(PrintStream err, ParameterException problem) {
        String message = String.valueOf(problem.getMessage());
        String line =
                message.lines().map(String::strip).reduce((a, b) -> a + " " + b).orElse("wrong command line");
        err.println("penstock: " + line.substring(0, 1).toLowerCase(Locale.ROOT) + line.substring(1)
                + " (scripts/penstock --help lists the commands, scripts/penstock COMMAND --help their options)");
        return USAGE;
    }
}
