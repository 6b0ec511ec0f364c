package io.penstock.core.task;

import io.penstock.core.OutcomeUnknownException;
import java.time.Duration;
import java.util.function.Supplier;

/** A deadline that all waiting within one call shares, for requests and for other calls. */
public final class Deadline {
    private Deadline() {}

    /**
     * Runs {@code calls} as a task of its own and returns what it returns, or throws what it throws.
     *
     * @throws OutcomeUnknownException when it has not ended within {@code timeout}; it goes on then
     */
    public static <T> T within(Tasks tasks, Duration timeout, Supplier<T> calls) {
        Promise<Boolean> ended = tasks.promise();
        Task<T> task = tasks.fork("within", () -> {
            try {
                return tasks.lent(calls);
            } finally {
                ended.complete(true);
            }
        });
        if (!ended.awaitFor(timeout)) {
            throw new OutcomeUnknownException(
                    "the calls have not ended in time and go on; what they write may be committed, read to find out",
                    "timeout",
                    timeout);
        }
        return task.join();
    }
}
