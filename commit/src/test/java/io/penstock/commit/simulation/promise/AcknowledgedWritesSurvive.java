package io.penstock.commit.simulation.promise;

import io.penstock.FinalState;
import io.penstock.commit.simulation.History;
import java.util.ArrayList;
import java.util.List;

/** In the end each acknowledged write is there, or a newer one of the same key. */
public final class AcknowledgedWritesSurvive implements Promise {
    @Override
    public String name() {
        return "acknowledged writes survive";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        List<String> violations = new ArrayList<>();
        for (History.Transaction transaction : evidence.transactions()) {
            if (!transaction.isAcknowledged()) {
                continue;
            }
            for (String key : transaction.writes.keySet()) {
                FinalState.Found found = evidence.end().get(key);
                if (found == null || transaction.stamp.isAfter(found.stamp())) {
                    violations.add(key + " has " + found + ", acknowledged " + transaction);
                }
            }
        }
        return violations;
    }
}
