package io.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when changes after a position are no longer retained in the commit log. Begin anew: take a position, scan,
 * then follow from that position.
 */
public final class PositionTooOldException extends InvalidRequestException {
    private static final long serialVersionUID = 1;

    public PositionTooOldException(String message, @Nullable Object... particulars) {
        super(message, particulars);
    }
}
