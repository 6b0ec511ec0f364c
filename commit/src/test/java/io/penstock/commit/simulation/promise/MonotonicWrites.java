package io.penstock.commit.simulation.promise;

import io.penstock.commit.simulation.History;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A session's later write wins over its earlier one, and no checkpoint counts a later log record of a queue as applied
 * as long as an earlier one of the same living client is missing.
 */
public final class MonotonicWrites implements Promise {
    @Override
    public String name() {
        return "monotonic writes";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        List<String> violations = new ArrayList<>(evidence.holes());
        Map<String, Stamp> last = new HashMap<>();
        for (History.Transaction transaction : evidence.transactions()) {
            if (transaction.isAcknowledged() && !transaction.writes.isEmpty()) {
                Stamp before = last.put(transaction.session, transaction.stamp);
                if (before != null && !transaction.stamp.isAfter(before)) {
                    violations.add(transaction + " comes after one of " + before);
                }
            }
        }
        return violations;
    }
}
