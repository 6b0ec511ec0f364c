package io.penstock.bench.tpcw.run;

import io.penstock.bench.program.ChildJvm;
import io.penstock.bench.program.Progress;
import io.penstock.bench.program.Wire;
import io.penstock.bench.tpcw.run.FarmProgram.FarmReport;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Clients in processes of their own, which share a store through its servers alone. Their events are converted to the
 * clock of this process, exact up to the time that a line takes from one to the other.
 */
final class ProcessFarm implements Farm {
    private final Tasks tasks;
    private final Consumer<SessionEvent> witness;
    private final List<Child> children = new ArrayList<>();

    /** Starts the processes and waits until all their stores are open. */
    ProcessFarm(RunPlan plan, Venue.Remote remote, Tasks tasks, Consumer<SessionEvent> witness) {
        this.tasks = tasks;
        this.witness = witness;
        try {
            for (int i = 0; i < remote.processes(); i++) {
                Share share = new Share(i, remote.processes());
                children.add(new Child(new FarmProgram.Assignment(remote, plan, share)));
            }
            for (Child child : children) {
                long theirs = child.hear(FarmReport.Ready.class).nanos();
                child.offset = tasks.nanoTime() - theirs;
            }
        } catch (RuntimeException broken) {
            close();
            throw broken;
        }
    }

    @Override
    public Bill work(Interval interval, Progress progress) {
        List<Task<Bill>> running = new ArrayList<>();
        for (Child child : children) {
            child.order(Long.toString(interval.fromNanos() - child.offset));
            running.add(tasks.fork("clients", () -> work(child)));
        }
        Interval.await(tasks, interval.toNanos(), progress);
        return running.stream().map(Task::join).reduce(Bill::plus).orElseThrow();
    }

    private Bill work(Child child) {
        while (true) {
            FarmReport report = child.hear(FarmReport.class);
            if (report instanceof FarmReport.Worked worked) {
                return worked.bill();
            }
            witness.accept(
                    Child.inTurn(report, FarmReport.Happened.class).event().by(child.offset));
        }
    }

    @Override
    public Closing finish() {
        children.forEach(child -> child.order(FarmProgram.CLOSE));
        return children.stream()
                .map(child -> child.hear(FarmReport.Closed.class).closing())
                .reduce(Closing.NONE, Closing::plus);
    }

    /** Kills the processes that have not ended by themselves. */
    @Override
    public void close() {
        children.forEach(child -> child.process.destroyForcibly());
    }

    /** A process. For one thread. */
    private static final class Child {
        private final Process process;
        private final BufferedWriter orders;
        private final BufferedReader reports;

        /** The time by which the clock of this process is ahead of its. */
        private long offset;

        Child(FarmProgram.Assignment assignment) {
            process = new ChildJvm().start(FarmProgram.class, List.of(), ProcessBuilder.Redirect.INHERIT);
            orders = process.outputWriter(StandardCharsets.UTF_8);
            reports = process.inputReader(StandardCharsets.UTF_8);
            order(Wire.write(assignment));
        }

        void order(String line) {
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
         * @throws InvalidRequestException if the process cannot go on because the call was wrong
         * @throws UnavailableException if it cannot go on for another reason, or has ended
         */
        <T extends FarmReport> T hear(Class<T> wanted) {
            FarmReport report = Wire.read(nextLine(), FarmReport.class);
            if (report instanceof FarmReport.Broken broken) {
                throw broken.request()
                        ? new InvalidRequestException(broken.message())
                        : new UnavailableException(broken.message());
            }
            return inTurn(report, wanted);
        }

        private static <T extends FarmReport> T inTurn(FarmReport report, Class<T> wanted) {
            if (!wanted.isInstance(report)) {
                throw new IllegalStateException("a client process spoke out of turn: "
                        + report.getClass().getSimpleName());
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
    }
}
