package io.penstock.commit.simulation.promise;

import io.penstock.commit.simulation.History;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.List;

/** A write wins over everything that its transaction has read. */
public final class WritesFollowReads implements Promise {
    @Override
    public String name() {
        return "writes follow reads";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        List<String> violations = new ArrayList<>();
        for (History.Transaction transaction : evidence.transactions()) {
            if (!transaction.isAcknowledged() || transaction.writes.isEmpty()) {
                continue;
            }
            for (History.Read read : transaction.reads) {
                Stamp stamp = evidence.stampOf(read.value());
                if (stamp != null && !transaction.stamp.isAfter(stamp)) {
                    violations.add(transaction + " read a value of " + stamp);
                }
            }
        }
        return violations;
    }
}
