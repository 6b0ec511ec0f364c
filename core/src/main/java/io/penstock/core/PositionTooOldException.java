package io.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * A position in a commit log after which changes are gone, since the log keeps them for a time only. Begin anew: take a
 * position, scan, then follow from that position.
 */
public final class PositionTooOldException extends InvalidRequestException {
    private static final long serialVersionUID = 1;

    public PositionTooOldException(String message, @Nullable Object... particulars) {
        super(message, particulars);
    }
}
