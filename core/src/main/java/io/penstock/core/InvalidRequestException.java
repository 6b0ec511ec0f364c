package io.penstock.core;

import org.jspecify.annotations.Nullable;

/** Thrown when the call itself is wrong and will fail again: correct it. */
public final class InvalidRequestException extends StoreException {
    private static final long serialVersionUID = 1;

    /** A failure of {@link ErrorCode#INVALID_ARGUMENT}. */
    public InvalidRequestException(String message, @Nullable Object... particulars) {
        super(ErrorCode.INVALID_ARGUMENT, message, null, particulars);
    }

    /** A failure of {@link ErrorCode#INVALID_ARGUMENT}. */
    public InvalidRequestException(String message, @Nullable Throwable cause, @Nullable Object... particulars) {
        super(ErrorCode.INVALID_ARGUMENT, message, cause, particulars);
    }

    public InvalidRequestException(ErrorCode code, String message, @Nullable Object... particulars) {
        super(code, message, null, particulars);
    }

    public InvalidRequestException(
            ErrorCode code, String message, @Nullable Throwable cause, @Nullable Object... particulars) {
        super(code, message, cause, particulars);
    }
}
