package io.penstock.testkit;

import io.penstock.core.task.TaskEnded;

/** Unwinds an actor that was stopped, because its client crashed or the simulation is over. */
final class ActorStopped extends TaskEnded {
    private static final long serialVersionUID = 1;

    ActorStopped(String actor) {
        super("actor stopped: " + actor);
    }
}
