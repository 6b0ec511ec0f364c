package io.penstock.core.memory;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Tasks;
import java.util.function.Function;

/**
 * The memory of a client for what it does besides transactions: checkpoints, loads, indexes and care of the store.
 * Operations that last get a part before they begin, or are refused. Safe for use by many threads.
 */
public final class WorkMemory {
    /** The least memory, in bytes, besides a few pages, with which work goes on. */
    private static final long LEAST_BYTES = 8L << 20;

    private static final int PAGES_MIN = 4;

    private final Tasks tasks;
    private final ByteBudget budget;
    private final long leastBytes;

    /** @param pageBytes the size of large pages */
    public WorkMemory(Tasks tasks, long bytesMax, long pageBytes) {
        this.tasks = tasks;
        this.budget = new ByteBudget(bytesMax);
        this.leastBytes = leastBytes(pageBytes);
    }

    /** The least that an operation begins with. */
    public static long leastBytes(long pageBytes) {
        return LEAST_BYTES + PAGES_MIN * pageBytes;
    }

    /** Counts what checkpoints have in hand. */
    public ByteBudget budget() {
        return budget;
    }

    /**
     * Runs an operation in a part of the memory.
     *
     * @throws InvalidRequestException when there would never be enough
     * @throws UnavailableException when other operations have too much of it
     */
    public <T> T lend(Function<Workspace, T> operation) {
        if (budget.lastingMax() < leastBytes) {
            throw new InvalidRequestException(
                    ErrorCode.OUT_OF_MEMORY,
                    "the memory of this client is too small for this operation; raise memoryBytes",
                    "bytes",
                    budget.lastingMax(),
                    "needed",
                    leastBytes);
        }
        long taken = budget.takeLasting(leastBytes, Workspace.STANDARD_BYTES);
        if (taken == 0) {
            throw new UnavailableException(
                    ErrorCode.OUT_OF_MEMORY,
                    "other operations of this client use the memory that this one needs; wait for them, or raise"
                            + " memoryBytes",
                    "free",
                    budget.free(),
                    "needed",
                    leastBytes);
        }
        try {
            return operation.apply(new Workspace(tasks, taken));
        } finally {
            budget.give(taken);
        }
    }
}
