package io.penstock.core.task;

import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The source of all concurrency, time and chance of one client. Production code forks, waits and draws random numbers
 * through it alone, so that a simulation can run that code as a pure function of a seed.
 *
 * <p>Rule for callers: a lock of {@code java.util.concurrent} may guard memory, but must not be held across a call of
 * this interface or of an SPI; to wait while holding something, use a {@link Promise} or {@link Permits}.
 *
 * <p>Safe for use by many threads.
 */
public interface Tasks extends Timekeeper {
    /** Starts {@code body} as a concurrent task. {@code name} is for traces. */
    <T> Task<T> fork(String name, Supplier<T> body);

    /** Starts {@code body} as a concurrent task without a result. */
    default Task<Boolean> start(String name, Runnable body) {
        return fork(name, () -> {
            body.run();
            return true;
        });
    }

    /** A fresh promise, to be completed once and awaited by any number of tasks. */
    <T> Promise<T> promise();

    /** The random source: unpredictable in production, seeded in simulation. */
    RandomGenerator random();
}
