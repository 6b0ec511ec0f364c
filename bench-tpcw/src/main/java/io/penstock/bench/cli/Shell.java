package io.penstock.bench.cli;

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
import picocli.CommandLine.TypeConversionException;

/**
 * Runs command lines. What is wrong with one is told in one line on {@code err}, without a stack trace.
 *
 * @param name of the program, which begins each complaint
 * @param help what to call for the options
 */
public record Shell(String name, String help, PrintStream out, PrintStream err) {
    /** All went well. */
    public static final int CLEAN = 0;

    /** What was run came out wrong, or could not be run to its end. */
    public static final int NOT_CLEAN = 1;

    /** The command line is wrong, or names what is not there or not allowed. */
    public static final int USAGE = 2;

    /**
     * Runs {@code line}, which has its subcommands by now, and returns its exit code.
     *
     * @param beforeComplaint runs before a failure is told
     */
    public int run(CommandLine line, Runnable beforeComplaint, String... arguments) {
        line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.registerConverter(BigDecimal.class, Shell::number);
        line.setParameterExceptionHandler((problem, args) -> complain(problem.getMessage()));
        line.setExecutionExceptionHandler((problem, command, parsed) -> {
            beforeComplaint.run();
            return failed(problem);
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

    private int failed(Exception problem) throws Exception {
        if (problem instanceof UsageException || problem instanceof InvalidRequestException) {
            return complain(problem.getMessage());
        }
        if (problem instanceof StoreException || problem instanceof UncheckedIOException) {
            err.println(name + ": " + problem.getMessage());
            return NOT_CLEAN;
        }
        throw problem;
    }

    private int complain(@Nullable String message) {
        String what = message == null || message.isEmpty() ? "the command line is wrong" : message;
        String oneLine =
                what.lines().map(String::strip).reduce((a, b) -> a + " " + b).orElse(what);
        err.println(name + ": " + oneLine.substring(0, 1).toLowerCase(Locale.ROOT) + oneLine.substring(1) + " (" + help
                + " lists the options)");
        return USAGE;
    }
}
