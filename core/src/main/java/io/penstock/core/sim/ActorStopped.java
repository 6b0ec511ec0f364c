package io.penstock.core.sim;

/**
 * The error that unwinds an actor that was stopped, because its client crashed or the simulation is over. It is an
 * Error so that no handler of the code under test takes it for a failure of the servers.
 */
final class ActorStopped extends Error {
    private static final long serialVersionUID = 1;

    ActorStopped(String actor) {
        super("actor stopped: " + actor, null, false, false);
    }
}
