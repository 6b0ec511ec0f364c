package io.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * A refusal by servers that can be reached (a queue or a bucket is gone, access is denied, a key is disabled), or by a
 * disk that is full or read-only. Nothing was changed. A retry fails too until servers or disk are mended, so the
 * library does not retry the call.
 */
public final class RefusedException extends UnavailableException {
    private static final long serialVersionUID = 1;

    public RefusedException(ErrorCode code, String message, @Nullable Object... particulars) {
        super(code, message, particulars);
    }

    public RefusedException(ErrorCode code, String message, Throwable cause, @Nullable Object... particulars) {
        super(code, message, cause, particulars);
    }

    /** Whether the store, bucket or queue that was asked for is not there: it was deleted, or never made. */
    public boolean isGone() {
        return switch (code()) {
            case STORE_NOT_FOUND, BUCKET_NOT_FOUND, QUEUE_NOT_FOUND -> true;
            default -> false;
        };
    }
}
