package io.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when stored bytes fail a check; there is never a wrong answer instead. Stop trusting the object that the
 * message names, and restore or verify it.
 */
public final class CorruptDataException extends StoreException {
    private static final long serialVersionUID = 1;

    /** A failure of {@link ErrorCode#OBJECT_DAMAGED}. */
    public CorruptDataException(String message, @Nullable Object... particulars) {
        super(ErrorCode.OBJECT_DAMAGED, message, null, particulars);
    }

    /** A failure of {@link ErrorCode#OBJECT_DAMAGED}. */
    public CorruptDataException(String message, @Nullable Throwable cause, @Nullable Object... particulars) {
        super(ErrorCode.OBJECT_DAMAGED, message, cause, particulars);
    }

    public CorruptDataException(ErrorCode code, String message, @Nullable Object... particulars) {
        super(code, message, null, particulars);
    }

    public CorruptDataException(
            ErrorCode code, String message, @Nullable Throwable cause, @Nullable Object... particulars) {
        super(code, message, cause, particulars);
    }
}
