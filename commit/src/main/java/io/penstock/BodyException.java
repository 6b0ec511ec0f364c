package io.penstock;

/**
 * Thrown when the body of a transaction throws a checked exception, which is the cause; nothing was committed.
 * Unchecked exceptions of a body are thrown as they are.
 */
public final class BodyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private BodyException(Exception cause) {
        super("the body of a transaction threw a checked exception; nothing was committed, see the cause", cause);
    }

    /** The exception for a checked one. An interrupt stays with the thread that has run the body. */
    static BodyException of(Exception cause) {
        if (cause instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return new BodyException(cause);
    }
}
