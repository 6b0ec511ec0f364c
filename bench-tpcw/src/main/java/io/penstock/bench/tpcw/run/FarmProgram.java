package io.penstock.bench.tpcw.run;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.penstock.bench.program.Orders;
import io.penstock.bench.program.Progress;
import io.penstock.bench.program.Wire;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A process with some clients of a run, under the orders of the driver. It ends at once when the driver does. */
public final class FarmProgram {
    /** The order after the assignment is when to begin to measure, in nanoseconds of this process; then this one. */
    static final String CLOSE = "close";

    /** The assignment of a process, the first line that it reads. */
    record Assignment(Venue.Remote remote, RunPlan plan, Farm.Share share) {}

    private final Orders orders;
    private final PrintStream out;

    /** @param out takes one {@link FarmReport} a line, and nothing else */
    private FarmProgram(Orders orders, PrintStream out) {
        this.orders = orders;
        this.out = out;
    }

    /** Takes no arguments: the assignment is the first line of the input. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        System.exit(new FarmProgram(Orders.from(System.in), out).run() ? 0 : 1);
    }

    private boolean run() {
        Assignment assignment = Wire.read(orders.next(), Assignment.class);
        try {
            return assignment.remote().connect(site -> work(assignment, site));
        } catch (StoreException e) {
            say(new FarmReport.Broken(String.valueOf(e.getMessage()), e instanceof InvalidRequestException));
            return false;
        }
    }

    private boolean work(Assignment assignment, Venue.Site site) {
        RunPlan plan = assignment.plan();
        try (Farm farm = plan.open(site, assignment.share(), event -> say(new FarmReport.Happened(event)))) {
            say(new FarmReport.Ready(site.machine(Machine.MAIN).tasks().nanoTime()));
            Farm.Interval interval = Farm.Interval.of(plan, Long.parseLong(orders.next()));
            say(new FarmReport.Worked(farm.work(interval, Progress.NONE)));
            if (!orders.next().equals(CLOSE)) {
                throw new IllegalStateException("expected the order " + CLOSE);
            }
            say(new FarmReport.Closed(farm.finish()));
        }
        return true;
    }

    private void say(FarmReport report) {
        // One call, so that lines of several threads do not mix.
        out.print(Wire.write(report) + "\n");
        out.flush();
    }

    /**
     * A report of a process with clients to the driver, a JSON object on each line, in this order: ready; after the
     * order to work, what happened, then worked; after the order to close, closed. Broken ends it at any time.
     */
    @JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS, property = "report")
    sealed interface FarmReport {
        /** All stores are open; the clock of the process shows {@code nanos}. */
        record Ready(long nanos) implements FarmReport {}

        record Happened(SessionEvent event) implements FarmReport {}

        record Worked(Farm.Bill bill) implements FarmReport {}

        record Closed(Farm.Closing closing) implements FarmReport {}

        /** The process cannot go on; {@code request}: because the call was wrong. */
        record Broken(String message, boolean request) implements FarmReport {}
    }
}
