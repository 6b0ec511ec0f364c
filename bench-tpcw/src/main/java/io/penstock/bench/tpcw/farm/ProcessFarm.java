package io.penstock.bench.tpcw.farm;

import io.penstock.bench.process.ChildProgram;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.anomaly.SessionEvent;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
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

    /** A process and how far the clock of this one is ahead of its. */
    private record Child(ChildProgram program, long offset) {}

    /** Starts the processes and waits until all their stores are open. */
    ProcessFarm(Work work, Remote remote, Tasks tasks, Consumer<SessionEvent> witness) {
        this.tasks = tasks;
        this.witness = witness;
        List<ChildProgram> started = new ArrayList<>();
        try {
            for (int i = 0; i < remote.processes(); i++) {
                Share share = new Share(i, remote.processes());
                started.add(new ChildProgram(FarmProgram.class, new FarmProgram.Assignment(remote, work, share)));
            }
            for (ChildProgram program : started) {
                long theirs = hear(program, FarmReport.Ready.class).nanos();
                children.add(new Child(program, tasks.nanoTime() - theirs));
            }
        } catch (RuntimeException broken) {
            started.forEach(ChildProgram::close);
            throw broken;
        }
    }

    @Override
    public Bill work(Interval interval, Progress progress) {
        List<Task<Bill>> running = new ArrayList<>();
        for (Child child : children) {
            child.program.order(Long.toString(interval.fromNanos() - child.offset));
            running.add(tasks.fork("clients", () -> work(child)));
        }
        Interval.await(tasks, interval.toNanos(), progress);
        return running.stream().map(Task::join).reduce(Bill::plus).orElseThrow();
    }

    private Bill work(Child child) {
        while (true) {
            FarmReport report = hear(child.program, FarmReport.class);
            switch (report) {
                case FarmReport.Happened happened ->
                    witness.accept(happened.event().by(child.offset));
                case FarmReport.Worked worked -> {
                    return worked.bill();
                }
                case FarmReport.Ready ready -> throw ChildProgram.outOfTurn(ready);
                case FarmReport.Closed closed -> throw ChildProgram.outOfTurn(closed);
                case FarmReport.Broken broken -> throw ChildProgram.outOfTurn(broken);
            }
        }
    }

    private static <T extends FarmReport> T hear(ChildProgram program, Class<T> wanted) {
        return program.hear(FarmReport.class, wanted);
    }

    @Override
    public Closing finish() {
        children.forEach(child -> child.program.order(FarmProgram.CLOSE));
        return children.stream()
                .map(child -> hear(child.program, FarmReport.Closed.class).closing())
                .reduce(Closing.NONE, Closing::plus);
    }

    @Override
    public void close() {
        children.forEach(child -> child.program.close());
    }
}
