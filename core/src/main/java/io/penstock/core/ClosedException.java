package io.penstock.core;

import org.jspecify.annotations.Nullable;

/** Thrown when the handle was closed. Open the store again. */
public final class ClosedException extends StoreException {
    private static final long serialVersionUID = 1;

    public ClosedException(String message, @Nullable Object... particulars) {
        super(ErrorCode.CLOSED, message, null, particulars);
    }
}
