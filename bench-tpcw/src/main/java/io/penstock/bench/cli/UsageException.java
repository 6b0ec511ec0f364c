package io.penstock.bench.cli;

/** The command line asks for what cannot be done; the message is one line that says what, why, and what to do. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UsageException(String message) {
        super(message);
    }
}
