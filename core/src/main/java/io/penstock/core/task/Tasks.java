package io.penstock.core.task;

import java.time.Duration;
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

    /**
     * Starts {@code body} as a concurrent task after a pause. In production no thread waits for it.
     *
     * @param name for traces
     */
    default void startAfter(Duration pause, String name, Runnable body) {
        var unused = start(name, () -> {
            sleep(pause);
            body.run();
        });
    }

    /**
     * Runs {@code body} where an interrupt of the calling thread does not reach it, and returns when the body has
     * ended, with its result or with what it threw. The calling thread is interrupted afterwards if it was before, or
     * came to be meanwhile. For work whose outcome the caller must learn, or that others wait for too. The body may run
     * on another thread, so it must not call code of the user.
     *
     * @param name for traces
     */
    <T> T uninterruptibly(String name, Supplier<T> body);

    /**
     * Runs code of the user on the calling thread, which may be one of this: an interrupt may reach it there, so that
     * {@link #uninterruptibly} shields it from then on.
     */
    default <T> T lent(Supplier<T> body) {
        return body.get();
    }

    /** A fresh promise, to be completed once and awaited by any number of tasks. */
    <T> Promise<T> promise();

    /** The random source: unpredictable in production, seeded in simulation. */
    RandomGenerator random();
}
