package io.penstock;

/**
 * Thrown when the body of a transaction throws a checked exception, which is the cause; nothing was committed.
 * Unchecked exceptions of a body are thrown as they are.
 */
public final class BodyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BodyException(Exception cause) {
        super("the body of a transaction threw a checked exception; nothing was committed, see the cause", cause);
    }
}
