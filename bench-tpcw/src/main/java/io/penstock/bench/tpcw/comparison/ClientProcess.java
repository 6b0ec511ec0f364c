package io.penstock.bench.tpcw.comparison;

import io.penstock.bench.process.ChildJvm;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.figures.Tally;
import io.penstock.bench.tpcw.figures.Usage;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The driver's handle on a client process. For one thread, except {@link #close}. */
final class ClientProcess implements AutoCloseable {
    private final Process process;
    private final BufferedWriter orders;
    private final BufferedReader reports;

    ClientProcess(Assignment assignment) {
        process = new ChildJvm().start(ClientProgram.class, List.of(), ProcessBuilder.Redirect.INHERIT);
        orders = process.outputWriter(StandardCharsets.UTF_8);
        reports = process.inputReader(StandardCharsets.UTF_8);
        order(Wire.write(assignment));
    }

    /** Waits until all its stores are open. */
    void awaitReady() {
        hear(ClientReport.Ready.class);
    }

    /** Orders the purchases, and waits for them. */
    Shift shop(Progress progress) {
        order(ClientProgram.SHOP);
        Tally tally = new Tally();
        while (true) {
            switch (hear(ClientReport.class)) {
                case ClientReport.Advanced advanced -> progress.advance(advanced.steps());
                case ClientReport.Acknowledged one -> tally.acknowledged(one.purchase(), one.stamp(), one.nanos());
                case ClientReport.Unknown one -> tally.unknown(one.purchase());
                case ClientReport.Shopped shopped -> {
                    tally.failed(shopped.failures());
                    return new Shift(tally, shopped.transaction(), Usage.NONE, List.of());
                }
                case ClientReport.Ready out -> throw outOfTurn(out);
                case ClientReport.Closed out -> throw outOfTurn(out);
                case ClientReport.Broken out -> throw outOfTurn(out);
            }
        }
    }

    /** Orders the process to close its stores, and waits. */
    Shift closeStores() {
        order(ClientProgram.CLOSE);
        ClientReport.Closed closed = hear(ClientReport.Closed.class);
        return new Shift(new Tally(), Usage.NONE, closed.checkpoint(), closed.notes());
    }

    private void order(String line) {
        try {
            orders.write(line);
            orders.newLine();
            orders.flush();
        } catch (IOException gone) {
            // Its last report, or their end, says why.
        }
    }

    private <T extends ClientReport> T hear(Class<T> wanted) {
        ClientReport report = Wire.read(nextLine(), ClientReport.class);
        if (report instanceof ClientReport.Broken broken) {
            throw broken.request()
                    ? new InvalidRequestException(broken.message())
                    : new UnavailableException(broken.message());
        }
        if (!wanted.isInstance(report)) {
            throw outOfTurn(report);
        }
        return wanted.cast(report);
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

    private static IllegalStateException outOfTurn(ClientReport report) {
        return new IllegalStateException(
                "a client process spoke out of turn: " + report.getClass().getSimpleName());
    }

    /** Kills the process if it has not ended by itself. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
