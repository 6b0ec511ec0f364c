package io.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the servers did not do the work, for now: throttled, unreachable or failing. Nothing was changed; wait,
 * then retry.
 */
public sealed class UnavailableException extends StoreException permits RefusedException {
    private static final long serialVersionUID = 1;

    public UnavailableException(String message, @Nullable Object... particulars) {
        super(message, null, particulars);
    }

    public UnavailableException(String message, Throwable cause, @Nullable Object... particulars) {
        super(message, cause, particulars);
    }
}
