package io.penstock.core;

import org.jspecify.annotations.Nullable;

/** Another client was first: a write condition did not hold, and nothing was changed. Read again, then retry. */
public final class ConflictException extends StoreException {
    private static final long serialVersionUID = 1;

    public ConflictException(String message, @Nullable Object... particulars) {
        super(message, null, particulars);
    }

    public ConflictException(String message, Throwable cause, @Nullable Object... particulars) {
        super(message, cause, particulars);
    }
}
