package io.penstock.core.retry;

import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.meter.Operation;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.task.Tasks;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Repeats calls that failed for the moment. Safe for use by many threads. */
public record Retries(Tasks tasks, RetryPolicy policy, RequestMeters meters) {
    /** The failures that allow another attempt. */
    public enum Repeat {
        /**
         * Repeats only failures that changed nothing: {@link UnavailableException}, except {@link RefusedException}.
         */
        NOT_DONE,

        /** Repeats {@link OutcomeUnknownException} too: the call is idempotent. */
        ALSO_UNKNOWN
    }

    /** Makes an idempotent call without a result. */
    public void run(Operation operation, Runnable body) {
        call(operation, Repeat.ALSO_UNKNOWN, () -> {
            body.run();
            return true;
        });
    }

    /**
     * Repeats a call until it succeeds, fails for good, or reaches the policy's bound.
     *
     * @throws StoreException the last failure; an {@link OutcomeUnknownException} instead of any other, if the outcome
     *     of an earlier attempt is unknown
     */
    public <T> T call(Operation operation, Repeat repeat, Supplier<T> body) {
        Backoff backoff = new Backoff(policy, tasks);
        OutcomeUnknownException unknown = null;
        while (true) {
            try {
                return body.get();
            } catch (OutcomeUnknownException failure) {
                unknown = failure;
                if (repeat == Repeat.NOT_DONE || !again(backoff, operation)) {
                    throw failure;
                }
            } catch (StoreException failure) {
                if (!isForTheMoment(failure) || !again(backoff, operation)) {
                    throw honest(failure, unknown, backoff);
                }
            }
        }
    }

    /** Whether a repetition may succeed after this failure, which changed nothing. */
    public static boolean isForTheMoment(StoreException failure) {
        return failure instanceof UnavailableException && !(failure instanceof RefusedException);
    }

    /** The attempts of a call that makes its own decisions. */
    public Backoff begin() {
        return new Backoff(policy, tasks);
    }

    /** Waits for the next attempt and counts it; false when there is none. */
    public boolean again(Backoff backoff, Operation operation) {
        boolean again = backoff.again();
        if (again) {
            meters.retried(operation);
        }
        return again;
    }

    private static StoreException honest(
            StoreException failure, @Nullable OutcomeUnknownException unknown, Backoff backoff) {
        if (unknown == null) {
            return failure;
        }
        OutcomeUnknownException raised = new OutcomeUnknownException(
                "the last attempt failed, but an earlier one may have taken effect; find out, or repeat the call",
                failure,
                "attempts",
                backoff.attempts());
        raised.addSuppressed(unknown);
        return raised;
    }
}
