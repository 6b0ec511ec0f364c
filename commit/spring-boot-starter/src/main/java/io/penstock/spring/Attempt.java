package io.penstock.spring;

import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.OptimisticLockingFailureException;

/**
 * A method or body that runs again after a conflict, on one thread: until it is over, or something that it has done
 * must not be done twice. For one thread.
 */
final class Attempt implements AutoCloseable {
    private static final ThreadLocal<@Nullable Attempt> INNERMOST = new ThreadLocal<>();

    private final @Nullable Attempt around = INNERMOST.get();
    private boolean claimed;
    private boolean last;

    /** @param claimed whether it has no transaction that the manager is to begin */
    Attempt(boolean claimed) {
        this.claimed = claimed;
        INNERMOST.set(this);
    }

    /** Returns the innermost of this thread for the transaction that it runs in, once; null if there is none. */
    static @Nullable Attempt claim() {
        Attempt innermost = INNERMOST.get();
        if (innermost == null || innermost.claimed) {
            return null;
        }
        innermost.claimed = true;
        return innermost;
    }

    /** Keeps all of this thread from running again. */
    static void setAllLast() {
        for (Attempt one = INNERMOST.get(); one != null; one = one.around) {
            one.last = true;
        }
    }

    void setLast() {
        last = true;
    }

    boolean isLast() {
        return last;
    }

    /** Whether another run may do better: not with a value that the caller has read before. */
    static boolean mayMend(OptimisticLockingFailureException failure) {
        return failure.getCause() instanceof ConflictException conflict && conflict.code() == ErrorCode.CONFLICT;
    }

    @Override
    public void close() {
        if (around == null) {
            INNERMOST.remove();
        } else {
            INNERMOST.set(around);
        }
    }
}
