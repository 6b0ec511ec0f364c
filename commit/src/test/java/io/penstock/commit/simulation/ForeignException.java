package io.penstock.commit.simulation;

/** An exception out of a call to the servers that is none of the store's, as a provider of credentials may throw. */
final class ForeignException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ForeignException() {
        super("simulated: no credentials for the moment");
    }
}
