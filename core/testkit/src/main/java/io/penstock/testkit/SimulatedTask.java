package io.penstock.testkit;

import io.penstock.core.task.Task;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A forked body and its result. */
final class SimulatedTask<T> implements Task<T> {
    private final Simulation simulation;
    private final String name;
    private final SimulatedPromise<Boolean> ended;
    private @Nullable T value;
    private @Nullable Throwable failure;

    SimulatedTask(Simulation simulation, String name) {
        this.simulation = simulation;
        this.name = name;
        this.ended = new SimulatedPromise<>(simulation);
    }

    /** Runs the body; called by the actor. */
    void run(Supplier<T> body) {
        try {
            simulation.checkRunning();
            value = body.get();
        } catch (ActorStopped stopped) {
            failure = new CrashedException(name);
        } catch (Throwable thrown) {
            failure = thrown;
        }
        ended.complete(true);
    }

    @Override
    public T join() {
        ended.await();
        return result();
    }

    /** The result of a body that has ended. */
    @SuppressWarnings("NullAway") // without a failure, value is what the body returned
    T result() {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        if (failure != null) {
            throw new CompletionException(failure);
        }
        return value;
    }

    @Override
    public boolean isDone() {
        return ended.isDone();
    }
}
