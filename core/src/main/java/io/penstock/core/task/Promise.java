package io.penstock.core.task;

import java.time.Duration;

/** A value that will be set once. Safe for use by many threads. */
public interface Promise<T> {
    /** Sets the value, unless the promise was completed before. */
    boolean complete(T value);

    /** Sets a failure that every {@link #await} will throw, unless the promise was completed before. */
    boolean fail(RuntimeException failure);

    /** Waits for the value. */
    T await();

    /** Waits for completion of either kind, at most this long; true when the promise is done. Throws no failure. */
    boolean awaitFor(Duration atMost);

    boolean isDone();
}
