package io.penstock.bench.process;

import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The driver's handle on a client process that takes a value as its assignment, then orders, and answers in lines. For
 * one thread, except {@link #close}.
 */
public final class ChildProgram implements AutoCloseable {
    private final Process process;
    private final BufferedWriter orders;
    private final BufferedReader reports;

    /** Starts {@code program}; its first line of input is {@code assignment}. */
    public ChildProgram(Class<?> program, Object assignment) {
        process = new ChildJvm().start(program, List.of(), ProcessBuilder.Redirect.INHERIT);
        orders = process.outputWriter(StandardCharsets.UTF_8);
        reports = process.inputReader(StandardCharsets.UTF_8);
        order(Wire.write(assignment));
    }

    public void order(String line) {
        try {
            orders.write(line);
            orders.newLine();
            orders.flush();
        } catch (IOException gone) {
            // Its last report, or their end, says why.
        }
    }

    /**
     * Waits for the next report, which must be of the type {@code wanted}.
     *
     * @param reports the type that all reports of the process have
     * @throws InvalidRequestException if the process cannot go on because the call was wrong
     * @throws UnavailableException if it cannot go on for another reason, or has ended
     */
    public <R, T extends R> T hear(Class<R> reports, Class<T> wanted) {
        R report = Wire.read(nextLine(), reports);
        if (report instanceof Breakdown broken) {
            throw broken.request()
                    ? new InvalidRequestException(broken.message())
                    : new UnavailableException(broken.message());
        }
        if (!wanted.isInstance(report)) {
            throw outOfTurn(report);
        }
        return wanted.cast(report);
    }

    /** A report that does not follow the last one. */
    public static IllegalStateException outOfTurn(Object report) {
        return new IllegalStateException(
                "a client process spoke out of turn: " + report.getClass().getSimpleName());
    }

    private String nextLine() {
        try {
            String line = reports.readLine();
            if (line != null) {
                return line;
            }
        } catch (IOException e) {
            // The same as the end of the input.
        }
        throw new UnavailableException(
                "a client process ended before its last report; was it killed, or short of memory?",
                "pid",
                process.pid());
    }

    /** Kills the process if it has not ended by itself. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
