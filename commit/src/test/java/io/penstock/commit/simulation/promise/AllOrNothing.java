package io.penstock.commit.simulation.promise;

import io.penstock.FinalState;
import io.penstock.commit.simulation.History;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.List;

/** A transaction that was seen in one place, at any time, is in the end in all places, or replaced. */
public final class AllOrNothing implements Promise {
    @Override
    public String name() {
        return "all or nothing";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        List<String> violations = new ArrayList<>();
        for (History.Transaction transaction : evidence.transactions()) {
            if (transaction.stamp.equals(Stamp.ZERO) || transaction.isAcknowledged() || transaction.lost) {
                continue; // not seen anywhere; or acknowledged, and checked as such record by record; or taken away
            }
            for (String key : transaction.writes.keySet()) {
                FinalState.Found found = evidence.end().get(key);
                if (found == null || transaction.stamp.isAfter(found.stamp())) {
                    violations.add(key + " has " + found + " but others of it are there: " + transaction);
                }
            }
        }
        return violations;
    }
}
