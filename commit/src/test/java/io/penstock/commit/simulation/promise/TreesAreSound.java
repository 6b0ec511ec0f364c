package io.penstock.commit.simulation.promise;

import java.util.List;

/** In the end every tree passes the check: sorted, linked, reachable, nothing missing. */
public final class TreesAreSound implements Promise {
    @Override
    public String name() {
        return "trees are sound";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        return evidence.trees();
    }
}
