package io.penstock.commit.simulation.promise;

import io.penstock.commit.simulation.History;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A read of a session never returns an older state of a record than an earlier one did. */
public final class MonotonicReads implements Promise {
    @Override
    public String name() {
        return "monotonic reads";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        List<String> violations = new ArrayList<>();
        Map<String, Map<String, Stamp>> seen = new HashMap<>();
        for (History.Transaction transaction : evidence.transactions()) {
            Map<String, Stamp> own = seen.computeIfAbsent(transaction.session, s -> new HashMap<>());
            for (History.Read read : transaction.reads) {
                Stamp last = own.get(read.key());
                if (last != null) {
                    SessionReads.older(evidence, transaction, read, last).ifPresent(violations::add);
                }
                Stamp stamp = evidence.stampOf(read.value());
                if (stamp != null) {
                    own.put(read.key(), stamp);
                }
            }
        }
        return violations;
    }
}
