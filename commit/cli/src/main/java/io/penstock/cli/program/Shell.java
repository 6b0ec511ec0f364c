package io.penstock.cli.program;

import io.penstock.core.InvalidRequestException;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntBiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/**
 * The runner of all command lines. It gives every command the option {@code --help}, and reports a mistake or a failure
 * in one line on {@code err}, without a stack trace. The name of the top command begins each report.
 */
public record Shell(PrintStream out, PrintStream err) {
    private static final Map<String, Duration> UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,18})([a-z]+)");

    /** The exit code of success. */
    public static final int DONE = 0;

    /** The exit code of a failure, or of a result that is not as it should be. */
    public static final int FAILED = 1;

    /** The exit code of a wrong command line, or of one that names what is missing or not allowed. */
    public static final int USAGE = 2;

    /** The exit code of a place that has no store. */
    public static final int NO_STORE = 4;

    /** Runs a program on the streams of this process, and ends the process with its exit code. */
    public static void runAndExit(ToIntBiFunction<PrintStream, PrintStream> program) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        System.exit(program.applyAsInt(out, err));
    }

    /**
     * Runs {@code line}, which has its subcommands already, and returns its exit code.
     *
     * @param beforeReport runs before a failure is reported
     */
    public int run(CommandLine line, Runnable beforeReport, String... arguments) {
        addHelp(line);
        line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.registerConverter(BigDecimal.class, Shell::number);
        line.registerConverter(Duration.class, Shell::duration);
        line.setParameterExceptionHandler(
                (problem, args) -> reportMistake(problem.getCommandLine(), problem.getMessage()));
        line.setExecutionExceptionHandler((problem, command, parsed) -> {
            beforeReport.run();
            return reportFailure(line, command, problem);
        });
        int code = line.execute(arguments);
        // A print stream keeps its failures to itself, until it is asked.
        return code == DONE && out.checkError() ? reportLostOutput(line) : code;
    }

    private int reportLostOutput(CommandLine top) {
        err.println(top.getCommandName() + ": the output could not be written; make room, or see who reads it, then"
                + " repeat the command");
        return FAILED;
    }

    private static void addHelp(CommandLine line) {
        line.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("shows this help")
                        .build());
        line.getSubcommands().values().forEach(Shell::addHelp);
    }

    private static BigDecimal number(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not a number");
        }
    }

    /** A number alone would be seconds to one and minutes to the next. */
    private static Duration duration(String text) {
        Matcher parts = DURATION.matcher(text);
        Duration unit = parts.matches() ? UNITS.get(parts.group(2)) : null;
        try {
            if (unit != null) {
                return unit.multipliedBy(Long.parseLong(parts.group(1)));
            }
        } catch (ArithmeticException e) {
            // told below
        }
        throw new TypeConversionException(
                "'" + text + "' is no duration; give a number and a unit of ms s m h d, such as 30s");
    }

    private int reportFailure(CommandLine top, CommandLine command, Exception problem) throws Exception {
        if (problem instanceof UsageException) {
            return reportMistake(command, problem.getMessage());
        }
        if (problem instanceof StoreException failure) {
            err.println(top.getCommandName() + ": " + failure.getMessage() + " [" + failure.code() + "]");
            return codeOf(failure);
        }
        if (problem instanceof UncheckedIOException) {
            err.println(top.getCommandName() + ": " + problem.getMessage());
            return FAILED;
        }
        throw problem;
    }

    private static int codeOf(StoreException problem) {
        if (problem instanceof RefusedException refusal && refusal.isGone()) {
            return NO_STORE;
        }
        return problem instanceof InvalidRequestException ? USAGE : FAILED;
    }

    private int reportMistake(CommandLine command, @Nullable String message) {
        String what = message == null || message.isEmpty() ? "the command line is wrong" : message;
        String oneLine =
                what.lines().map(String::strip).reduce((a, b) -> a + " " + b).orElse(what);
        String name = command.getCommandSpec().qualifiedName();
        String top = command.getCommandSpec().root().name();
        err.println(top + ": " + oneLine.substring(0, 1).toLowerCase(Locale.ROOT) + oneLine.substring(1) + " (scripts/"
                + name + " --help lists the options)");
        return USAGE;
    }
}
