package io.penstock.commit.simulation.promise;

import io.penstock.FinalState;
import io.penstock.commit.simulation.History;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Of all acknowledged writes of a key the one with the newest stamp is there in the end, with the value it wrote. */
public final class NewestStampWins implements Promise {
    @Override
    public String name() {
        return "the newest stamp wins";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        Map<String, History.Transaction> newest = new HashMap<>();
        for (History.Transaction transaction : evidence.transactions()) {
            if (transaction.isAcknowledged()) {
                for (String key : transaction.writes.keySet()) {
                    newest.merge(key, transaction, (a, b) -> b.stamp.isAfter(a.stamp) ? b : a);
                }
            }
        }
        List<String> violations = new ArrayList<>();
        newest.forEach((key, transaction) -> {
            FinalState.Found found = evidence.end().get(key);
            Stamp end = found == null ? Stamp.ZERO : found.stamp();
            boolean other = found != null
                    && end.equals(transaction.stamp)
                    && !Objects.equals(found.value(), transaction.writes.get(key));
            if (found != null && (transaction.stamp.isAfter(end) || other)) {
                violations.add(key + " has " + found + ", but the newest is " + transaction);
            }
        });
        return violations;
    }
}
