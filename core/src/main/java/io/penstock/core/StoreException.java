package io.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * A failed call. There is one subclass for each reaction of the caller: {@link ConflictException} (read again and
 * retry), {@link UnavailableException} (wait), {@link OutcomeUnknownException} (find out), {@link CorruptDataException}
 * (stop trusting the data), {@link InvalidRequestException} (correct the call), {@link DuplicateException} (choose
 * another value), {@link ClosedException} (reopen).
 *
 * <p>A message says in lower case what happened, why, and what to do, and then gives the particulars as {@code
 * key=value}, in one line. It never holds bytes of a key or payload.
 */
public abstract sealed class StoreException extends RuntimeException
        permits ConflictException,
                UnavailableException,
                OutcomeUnknownException,
                CorruptDataException,
                InvalidRequestException,
                DuplicateException,
                ClosedException {
    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    /** @param particulars names and values by turns */
    protected StoreException(
            ErrorCode code, String message, @Nullable Throwable cause, @Nullable Object... particulars) {
        super(describe(message, particulars), cause);
        this.code = code;
    }

    /** The cause of the failure, by which programs and operators decide. */
    public final ErrorCode code() {
        return code;
    }

    private static String describe(String message, @Nullable Object... particulars) {
        StringBuilder text = new StringBuilder(message);
        for (int i = 0; i + 1 < particulars.length; i += 2) {
            text.append(' ').append(particulars[i]).append('=').append(particulars[i + 1]);
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                text.setCharAt(i, '?');
            }
        }
        return text.toString();
    }
}
