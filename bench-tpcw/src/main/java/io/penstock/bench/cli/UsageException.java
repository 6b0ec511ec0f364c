package io.penstock.bench.tpcw;

/** The command line asks for what cannot be done; the message is one line that says what, why, and what to do. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}
