package io.penstock.core.memory;

import io.penstock.core.task.Tasks;

/**
 * The memory that one operation may use for what grows with the store: pages read ahead, and sets of what it has met. A
 * set that outgrows its part goes to temporary files. Immutable.
 *
 * @param bytes roughly the most that the operation holds at a time
 */
public record Workspace(Tasks tasks, long bytes) {
    /** Enough for every operation on pages of the default size. */
    public static final long STANDARD_BYTES = 64L << 20;

    public static Workspace standard(Tasks tasks) {
        return new Workspace(tasks, STANDARD_BYTES);
    }

    /** Returns one of {@code parts} equal parts. */
    public Workspace part(int parts) {
        return new Workspace(tasks, bytes / parts);
    }

    /** A set of items in this much memory. */
    public ExternalSort sort() {
        return new ExternalSort(bytes);
    }
}
