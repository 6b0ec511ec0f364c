package io.penstock.core;

import org.jspecify.annotations.Nullable;

/** Thrown when the call itself is wrong and will fail again: correct it. */
public sealed class InvalidRequestException extends StoreException permits PositionTooOldException {
    private static final long serialVersionUID = 1;

    public InvalidRequestException(String message, @Nullable Object... particulars) {
        super(message, null, particulars);
    }

    public InvalidRequestException(String message, @Nullable Throwable cause, @Nullable Object... particulars) {
        super(message, cause, particulars);
    }
}
