package io.penstock.testkit;

import io.penstock.core.task.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A promise whose waiters park in the simulation. */
final class SimulatedPromise<T> implements Promise<T> {
    private final Simulation simulation;
    private final List<Waiter> waiters = new ArrayList<>(1);
    private boolean done;
    private @Nullable T value;
    private @Nullable RuntimeException failure;

    SimulatedPromise(Simulation simulation) {
        this.simulation = simulation;
    }

    @Override
    public boolean complete(T result) {
        return settle(result, null);
    }

    @Override
    public boolean fail(RuntimeException reason) {
        return settle(null, reason);
    }

    private boolean settle(@Nullable T result, @Nullable RuntimeException reason) {
        if (done) {
            return false;
        }
        done = true;
        value = result;
        failure = reason;
        for (Waiter waiter : waiters) {
            if (waiter.turn == waiter.actor.waits) {
                simulation.wakeAt(waiter.actor, simulation.nowNanos());
            }
        }
        waiters.clear();
        return true;
    }

    @Override
    @SuppressWarnings("NullAway") // done without a failure: value is what was given to complete()
    public T await() {
        while (!done) {
            enlist();
            simulation.pauseInterruptibly();
        }
        if (failure != null) {
            throw failure;
        }
        return value;
    }

    @Override
    public boolean awaitFor(Duration atMost) {
        long deadline = simulation.after(atMost);
        while (!done && simulation.nowNanos() < deadline) {
            enlist();
            simulation.wakeAt(simulation.current(), deadline);
            simulation.pauseInterruptibly();
        }
        return done;
    }

    private void enlist() {
        Actor self = simulation.current();
        // A loop in place of removeIf, which allocates: a long wait waits thousands of times.
        for (int i = waiters.size() - 1; i >= 0; i--) {
            if (waiters.get(i).turn != waiters.get(i).actor.waits) {
                waiters.remove(i);
            }
        }
        waiters.add(new Waiter(self, self.waits));
    }

    @Override
    public boolean isDone() {
        return done;
    }

    private record Waiter(Actor actor, long turn) {}
}
