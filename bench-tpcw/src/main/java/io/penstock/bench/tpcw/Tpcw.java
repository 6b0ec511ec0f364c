package io.penstock.bench.tpcw;

import io.penstock.bench.tpcw.comparison.Progress;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The program. Exit codes: {@link #CLEAN}, {@link #NOT_CLEAN}, {@link #USAGE}. */
public final class Tpcw {
    /** Every level ended with nothing pending and no tree violated. */
    static final int CLEAN = 0;

    /** A level did not, or could not be run to its end. */
    static final int NOT_CLEAN = 1;

    /** The command line is wrong. */
    static final int USAGE = 2;

    /** Set by scripts/tpcw when standard error is a terminal: Java 21 cannot tell by itself. */
    private static final String SHOW_PROGRESS = "penstock.progress";

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
        Progress progress = Boolean.getBoolean(SHOW_PROGRESS) ? new ProgressBar(err) : Progress.NONE;
        System.exit(run(out, err, progress, arguments));
    }

    /** Runs a command line and returns its exit code. */
    static int run(PrintStream out, PrintStream err, Progress progress, String... arguments) {
        CommandLine line = new CommandLine(new Root());
        line.addSubcommand(new CompareCommand(out, err, progress));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
        line.registerConverter(BigDecimal.class, Tpcw::number);
        line.setParameterExceptionHandler((problem, args) -> complain(err, problem.getMessage()));
        line.setExecutionExceptionHandler((problem, command, parsed) -> {
            progress.end();
            return failed(err, problem);
        });
        return line.execute(arguments);
    }

    private static BigDecimal number(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not a number");
        }
    }

    private static int failed(PrintStream err, Exception problem) throws Exception {
        if (problem instanceof UsageException || problem instanceof InvalidRequestException) {
            return complain(err, problem.getMessage());
        }
        if (problem instanceof StoreException || problem instanceof UncheckedIOException) {
            err.println("tpcw: " + problem.getMessage());
            return NOT_CLEAN;
        }
        throw problem;
    }

    private static int complain(PrintStream err, @Nullable String message) {
        String what = message == null || message.isEmpty() ? "the command line is wrong" : message;
        String oneLine =
                what.lines().map(String::strip).reduce((a, b) -> a + " " + b).orElse(what);
        err.println("tpcw: " + oneLine.substring(0, 1).toLowerCase(Locale.ROOT) + oneLine.substring(1)
                + " (scripts/tpcw compare --help lists the options)");
        return USAGE;
    }
}
