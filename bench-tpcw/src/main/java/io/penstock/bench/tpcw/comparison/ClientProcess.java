package io.penstock.bench.tpcw.comparison;

import io.penstock.bench.process.ChildProgram;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.figures.Tally;
import io.penstock.bench.tpcw.figures.Usage;
import java.util.List;

/** The driver's handle on a client process. For one thread, except {@link #close}. */
final class ClientProcess implements AutoCloseable {
    private final ChildProgram program;

    ClientProcess(Assignment assignment) {
        program = new ChildProgram(ClientProgram.class, assignment);
    }

    /** Waits until all its stores are open. */
    void awaitReady() {
        hear(ClientReport.Ready.class);
    }

    /** Orders the purchases, and waits for them. */
    Shift shop(Progress progress) {
        program.order(ClientProgram.SHOP);
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
                case ClientReport.Ready out -> throw ChildProgram.outOfTurn(out);
                case ClientReport.Closed out -> throw ChildProgram.outOfTurn(out);
                case ClientReport.Broken out -> throw ChildProgram.outOfTurn(out);
            }
        }
    }

    /** Orders the process to close its stores, and waits. */
    Shift closeStores() {
        program.order(ClientProgram.CLOSE);
        ClientReport.Closed closed = hear(ClientReport.Closed.class);
        return new Shift(new Tally(), Usage.NONE, closed.checkpoint(), closed.notes());
    }

    private <T extends ClientReport> T hear(Class<T> wanted) {
        return program.hear(ClientReport.class, wanted);
    }

    /** Kills the process if it has not ended by itself. */
    @Override
    public void close() {
        program.close();
    }
}
