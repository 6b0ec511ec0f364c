package io.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when stored bytes fail a check; there is never a wrong answer instead. Stop trusting the object that the
 * message names, and restore or verify it.
 */
public final class CorruptDataException extends StoreException {
    private static final long serialVersionUID = 1;

    public CorruptDataException(String message, @Nullable Object... particulars) {
        super(message, null, particulars);
    }

    public CorruptDataException(String message, @Nullable Throwable cause, @Nullable Object... particulars) {
        super(message, cause, particulars);
    }
}
