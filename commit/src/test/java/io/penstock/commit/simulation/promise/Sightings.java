package io.penstock.commit.simulation.promise;

import io.penstock.commit.simulation.History;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Who saw a write, and later a state of the page without what comes before that write. */
final class Sightings {
    private final Evidence evidence;
    private final Map<String, History.Transaction> writers = new HashMap<>();

    /** Something that must be seen by whoever sees a later write: a state of a key, at least as new as the stamp. */
    record Before(String key, Stamp stamp) {}

    Sightings(Evidence evidence) {
        this.evidence = evidence;
        for (History.Transaction transaction : evidence.transactions()) {
            transaction.writes.values().forEach(value -> put(value, transaction));
        }
    }

    private void put(@Nullable String value, History.Transaction writer) {
        if (value != null) {
            writers.put(value, writer);
        }
    }

    /** @param before what comes before a write, given its transaction and who saw it */
    List<String> violations(Function<Sighting, List<Before>> before) {
        List<String> violations = new ArrayList<>();
        Map<String, Set<History.Transaction>> seenBy = new HashMap<>();
        for (History.Transaction transaction : evidence.transactions()) {
            Set<History.Transaction> seen = seenBy.computeIfAbsent(transaction.session, s -> new HashSet<>());
            for (History.Read read : transaction.reads) {
                for (History.Transaction writer : seen) {
                    for (Before one : before.apply(new Sighting(writer, transaction))) {
                        if (one.key.equals(read.key())) {
                            SessionReads.older(evidence, transaction, read, one.stamp)
                                    .ifPresent(older -> violations.add(older + "; it had seen " + writer));
                        }
                    }
                }
                History.Transaction writer = read.value() == null ? null : writers.get(read.value());
                if (writer != null && !writer.session.equals(transaction.session)) {
                    seen.add(writer);
                }
            }
        }
        return violations;
    }

    /** A transaction of which somebody else saw a write, and a transaction of his in which he reads on. */
    record Sighting(History.Transaction writer, History.Transaction reader) {}
}
