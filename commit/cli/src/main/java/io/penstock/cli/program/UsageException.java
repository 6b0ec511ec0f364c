package io.penstock.cli.program;

/** A command line that asks for something impossible. The message is one line: what, why, and what to do. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UsageException(String message) {
        super(message);
    }

    /** Requires {@code min <= value <= max} of an option. */
    public static void requireRange(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw new UsageException(option + " is out of range; give " + min + " to " + max + ", not " + value);
        }
    }
}
