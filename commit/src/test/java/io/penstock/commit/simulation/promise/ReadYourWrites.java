package io.penstock.commit.simulation.promise;

import io.penstock.commit.simulation.History;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A read returns the session's last write of the key, or something newer. */
public final class ReadYourWrites implements Promise {
    @Override
    public String name() {
        return "read your writes";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        List<String> violations = new ArrayList<>();
        Map<String, Map<String, Stamp>> written = new HashMap<>();
        for (History.Transaction transaction : evidence.transactions()) {
            Map<String, Stamp> own = written.computeIfAbsent(transaction.session, s -> new HashMap<>());
            for (History.Read read : transaction.reads) {
                Stamp last = own.get(read.key());
                if (last != null) {
                    SessionReads.older(evidence, transaction, read, last).ifPresent(violations::add);
                }
            }
            if (transaction.isAcknowledged()) {
                transaction.writes.keySet().forEach(key -> own.put(key, transaction.stamp));
            }
        }
        return violations;
    }
}
