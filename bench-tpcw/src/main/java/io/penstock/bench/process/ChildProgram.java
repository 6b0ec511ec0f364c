package io.penstock.bench.process;

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
     * Waits for the next report.
     *
     * @throws UnavailableException if the process has ended
     */
    public <T> T hear(Class<T> type) {
        return Wire.read(nextLine(), type);
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
