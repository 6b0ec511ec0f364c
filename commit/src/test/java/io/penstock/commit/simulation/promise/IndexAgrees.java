package io.penstock.commit.simulation.promise;

import io.penstock.ConsistencyLevel;
import io.penstock.commit.simulation.History;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * In the end an index finds each record of its collection, with its value, and no others. Below ATOMIC a transaction
 * that was not acknowledged may have left a record without its entries, or the other way round.
 */
public final class IndexAgrees implements Promise {
    @Override
    public String name() {
        return "an index agrees with its collection";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        List<String> violations = new ArrayList<>();
        Set<String> exempt = halfWritten(evidence);
        evidence.end().forEach((key, record) -> {
            String found = evidence.byIndex().found().get(key);
            boolean indexed = key.startsWith(evidence.byIndex().collection() + "/");
            if (indexed && !exempt.contains(key) && !Objects.equals(record.value(), found)) {
                violations.add(key + " has " + record + ", by index " + found);
            }
        });
        return violations;
    }

    private static Set<String> halfWritten(Evidence evidence) {
        Set<String> keys = new HashSet<>();
        for (History.Transaction transaction : evidence.transactions()) {
            if (transaction.level != ConsistencyLevel.ATOMIC && !transaction.isAcknowledged()) {
                keys.addAll(transaction.writes.keySet());
            }
        }
        return keys;
    }
}
