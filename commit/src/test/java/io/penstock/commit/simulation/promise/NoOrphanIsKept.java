package io.penstock.commit.simulation.promise;

import java.util.List;

/** When everything rests, garbage collection leaves no page that is in no tree. */
public final class NoOrphanIsKept implements Promise {
    @Override
    public String name() {
        return "no orphan is kept";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        return evidence.space().orphans();
    }
}
