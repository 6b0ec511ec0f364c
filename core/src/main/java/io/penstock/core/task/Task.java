package io.penstock.core.task;

/** A body of code that runs concurrently. Safe for use by many threads. */
public interface Task<T> {
    /**
     * Waits for the end of the body and returns its result.
     *
     * @throws RuntimeException the exception of the body, as it was thrown
     */
    T join();

    boolean isDone();
}
