package io.penstock.testkit;

import io.penstock.core.task.Promise;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** One simulated machine: its tasks, its own wall clock and its own random stream. It can crash. */
public final class SimulatedClient implements Tasks {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Simulation simulation;
    private final String name;
    private final SeededRandom random;
    private long skewMillis;
    private long frozenUntilNanos = Long.MIN_VALUE;
    private long cutOffUntilNanos = Long.MIN_VALUE;
    private boolean crashed;

    /** The number of calls of this machine that pass time now. */
    int underWay;

    SimulatedClient(Simulation simulation, String name) {
        this.simulation = simulation;
        this.name = name;
        this.random = SeededRandom.stream(simulation.seed(), "client " + name);
    }

    public String name() {
        return name;
    }

    /** Sets this machine's wall clock ahead of the servers' (back, when negative). */
    public void skewClock(Duration ahead) {
        skewMillis = ahead.toMillis();
    }

    /** Kills the machine: each of its tasks stops at the point where it waits, and new ones do not begin. */
    public void crash() {
        crashed = true;
        simulation.crash(this);
    }

    /** Stops the machine for {@code length}: a pause that it can notice only by its clocks. */
    public void freeze(Duration length) {
        frozenUntilNanos = Math.max(frozenUntilNanos, simulation.after(length));
    }

    long frozenUntilNanos() {
        return frozenUntilNanos;
    }

    /** Cuts the machine off for {@code length}: no request reaches a server, and no answer arrives. */
    public void cutOff(Duration length) {
        cutOffUntilNanos = Math.max(cutOffUntilNanos, simulation.after(length));
    }

    boolean isCutOff() {
        return simulation.nowNanos() < cutOffUntilNanos;
    }

    public boolean crashed() {
        return crashed;
    }

    @Override
    public long nowMillis() {
        return serverMillis() + skewMillis;
    }

    /** The servers' clock, which is true virtual time. */
    long serverMillis() {
        return Simulation.EPOCH_MILLIS + simulation.nowNanos() / NANOS_PER_MILLI;
    }

    @Override
    public long nanoTime() {
        return simulation.nowNanos();
    }

    @Override
    public void sleep(Duration duration) {
        simulation.sleepInterruptibly(duration);
    }

    /**
     * Starts a thread of the program that uses the library: one that {@link #interrupt} reaches. Tasks that are forked
     * are the library's own, as those of {@link io.penstock.core.task.ThreadTasks}.
     */
    public Task<Boolean> startThread(String threadName, Runnable body) {
        SimulatedTask<Boolean> task = new SimulatedTask<>(simulation, threadName);
        Actor actor = simulation.spawn(
                this,
                threadName,
                () -> task.run(() -> {
                    body.run();
                    return true;
                }));
        actor.interruptible = true;
        return task;
    }

    /** Interrupts all threads of this machine's program, as an executor does that is shut down. */
    public void interrupt() {
        simulation.interrupt(this);
    }

    /** Whether the calling thread was interrupted; it is not any more. */
    public boolean clearInterrupt() {
        Actor self = simulation.current();
        boolean was = self.interrupted;
        self.interrupted = false;
        return was;
    }

    @Override
    public <T> Task<T> fork(String taskName, Supplier<T> body) {
        SimulatedTask<T> task = new SimulatedTask<>(simulation, taskName);
        simulation.spawn(this, taskName, () -> task.run(body));
        return task;
    }

    /** Runs the body in place: an interrupt waits until it has ended. */
    @Override
    public <T> T uninterruptibly(String name, Supplier<T> body) {
        Actor self = simulation.current();
        self.shields++;
        try {
            return body.get();
        } finally {
            self.shields--;
        }
    }

    @Override
    public <T> Promise<T> promise() {
        return new SimulatedPromise<>(simulation);
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    Simulation simulation() {
        return simulation;
    }
}
