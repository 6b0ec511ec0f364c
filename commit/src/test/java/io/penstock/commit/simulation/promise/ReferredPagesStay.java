package io.penstock.commit.simulation.promise;

import java.util.List;

/** At no time is a page missing that the root of a tree leads to, whichever client removes pages. */
public final class ReferredPagesStay implements Promise {
    public static final String NAME = "what is referred to stays";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<String> violations(Evidence evidence) {
        return evidence.space().missing();
    }
}
