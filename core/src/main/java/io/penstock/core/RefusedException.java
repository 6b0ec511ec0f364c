package io.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * A refusal by servers that can be reached (a queue or a bucket is gone, access is denied, a key is disabled), or by a
 * disk that is full or read-only. Nothing was changed. A retry fails too until servers or disk are mended, so the
 * library does not retry the call.
 */
public final class RefusedException extends UnavailableException {
    private static final long serialVersionUID = 1;

    private final boolean gone;

    private RefusedException(boolean gone, String message, @Nullable Object... particulars) {
        super(message, particulars);
        this.gone = gone;
    }

    public RefusedException(String message, Throwable cause, @Nullable Object... particulars) {
        super(message, cause, particulars);
        this.gone = false;
    }

    public RefusedException(String message, @Nullable Object... particulars) {
        this(false, message, particulars);
    }

    /** The store, bucket or queue that was asked for is not there. */
    public static RefusedException gone(String message, @Nullable Object... particulars) {
        return new RefusedException(true, message, particulars);
    }

    /** Whether the store, bucket or queue that was asked for is not there: it was deleted, or never made. */
    public boolean isGone() {
        return gone;
    }
}
