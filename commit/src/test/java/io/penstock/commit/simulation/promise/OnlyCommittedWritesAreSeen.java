package io.penstock.commit.simulation.promise;

import io.penstock.commit.simulation.History;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every value that is read, at any time, was written under that key by a transaction that may be committed. */
public final class OnlyCommittedWritesAreSeen implements Promise {
    @Override
    public String name() {
        return "only committed writes are seen";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        Map<String, String> keyOf = new HashMap<>();
        for (History.Transaction transaction : evidence.transactions()) {
            if (transaction.mayBeCommitted()) {
                transaction.writes.forEach((key, value) -> {
                    if (value != null) {
                        keyOf.put(value, key);
                    }
                });
            }
        }
        List<String> violations = new ArrayList<>();
        evidence.end().forEach((key, found) -> {
            if (isForeign(keyOf, key, found.value())) {
                violations.add(key + " has " + found);
            }
        });
        for (History.Transaction transaction : evidence.transactions()) {
            Stream.concat(transaction.reads.stream(), transaction.otherReads.stream())
                    .filter(read -> isForeign(keyOf, read.key(), read.value()))
                    .forEach(read -> violations.add(read + " in " + transaction));
        }
        return violations;
    }

    private static boolean isForeign(Map<String, String> keyOf, String key, @Nullable String value) {
        return value != null && !key.equals(keyOf.get(value));
    }
}
