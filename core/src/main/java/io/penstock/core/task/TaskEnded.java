package io.penstock.core.task;

/**
 * Unwinds a task that must not go on. An error, so that no handler takes it for a failure of the servers; code that
 * catches every {@link Throwable} throws it on.
 */
public class TaskEnded extends Error {
    private static final long serialVersionUID = 1;

    protected TaskEnded(String message) {
        super(message, null, false, false);
    }
}
