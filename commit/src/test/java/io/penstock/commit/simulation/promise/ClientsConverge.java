package io.penstock.commit.simulation.promise;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/** In the end a client with old pages reads what a new client reads, once their TTL has passed. */
public final class ClientsConverge implements Promise {
    @Override
    public String name() {
        return "all clients converge";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        Map<String, String> fresh = new TreeMap<>();
        evidence.end().forEach((key, found) -> {
            if (found.value() != null) {
                fresh.put(key, found.value());
            }
        });
        TreeSet<String> keys = new TreeSet<>(fresh.keySet());
        keys.addAll(evidence.others().keySet());
        List<String> violations = new ArrayList<>();
        for (String key : keys) {
            if (!Objects.equals(fresh.get(key), evidence.others().get(key))) {
                violations.add(key + " is " + fresh.get(key) + " to one client and "
                        + evidence.others().get(key) + " to another");
            }
        }
        return violations;
    }
}
