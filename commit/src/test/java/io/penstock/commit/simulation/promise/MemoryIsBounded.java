package io.penstock.commit.simulation.promise;

import java.util.List;

/** A client keeps no more in memory than its settings allow, and nothing that is applied and visible. */
public final class MemoryIsBounded implements Promise {
    @Override
    public String name() {
        return "memory is bounded";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        return evidence.memory();
    }
}
