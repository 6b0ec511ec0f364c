package io.penstock.commit.simulation;

/** An error out of a call to the servers, as a class that cannot be loaded. */
final class ForeignError extends LinkageError {
    private static final long serialVersionUID = 1;

    ForeignError() {
        super("simulated: a class cannot be loaded for the moment");
    }
}
