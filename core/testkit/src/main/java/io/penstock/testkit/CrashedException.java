package io.penstock.testkit;

/** Thrown when a task of a crashed client is joined: the task ended in the middle, without a result. */
public final class CrashedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CrashedException(String task) {
        super("the client of this task crashed task=" + task);
    }
}
