package io.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the answer was lost: the call may or may not have taken effect. Read to find out before you repeat it, or
 * repeat it if it is idempotent.
 */
public final class OutcomeUnknownException extends StoreException {
    private static final long serialVersionUID = 1;

    public OutcomeUnknownException(String message, @Nullable Object... particulars) {
        super(ErrorCode.OUTCOME_UNKNOWN, message, null, particulars);
    }

    public OutcomeUnknownException(String message, @Nullable Throwable cause, @Nullable Object... particulars) {
        super(ErrorCode.OUTCOME_UNKNOWN, message, cause, particulars);
    }
}
