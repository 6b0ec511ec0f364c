package io.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the servers did not do the work, for now: throttled, unreachable or failing. Nothing was changed; wait,
 * then retry.
 */
public sealed class UnavailableException extends StoreException permits RefusedException {
    private static final long serialVersionUID = 1;

    /** A failure of {@link ErrorCode#UNAVAILABLE}. */
    public UnavailableException(String message, @Nullable Object... particulars) {
        super(ErrorCode.UNAVAILABLE, message, null, particulars);
    }

    /** A failure of {@link ErrorCode#UNAVAILABLE}. */
    public UnavailableException(String message, @Nullable Throwable cause, @Nullable Object... particulars) {
        super(ErrorCode.UNAVAILABLE, message, cause, particulars);
    }

    public UnavailableException(ErrorCode code, String message, @Nullable Object... particulars) {
        super(code, message, null, particulars);
    }

    public UnavailableException(ErrorCode code, String message, Throwable cause, @Nullable Object... particulars) {
        super(code, message, cause, particulars);
    }
}
