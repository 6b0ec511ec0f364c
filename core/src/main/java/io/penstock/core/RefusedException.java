package io.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * The servers are there and refuse: a queue or a bucket is gone, access is denied, a key is disabled. Nothing was
 * changed. To repeat the call is of no use until somebody mends the servers, so it is not repeated by itself.
 */
public final class RefusedException extends UnavailableException {
    private static final long serialVersionUID = 1;

    private final boolean gone;

    private RefusedException(boolean gone, String message, @Nullable Object... particulars) {
        super(message, particulars);
        this.gone = gone;
    }

    public RefusedException(String message, @Nullable Object... particulars) {
        this(false, message, particulars);
    }

    /** The queue or bucket that was asked is not there. */
    public static RefusedException gone(String message, @Nullable Object... particulars) {
        return new RefusedException(true, message, particulars);
    }

    /** Whether the queue or bucket that was asked is not there: it was deleted, or never made. */
    public boolean isGone() {
        return gone;
    }
}
