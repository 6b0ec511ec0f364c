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

/** The readers that saw a write, and later a state of the page without what precedes that write. */
final class Sightings {
    private final Evidence evidence;
    private final Map<String, History.Transaction> writers = new HashMap<>();

    /** A state of a key, at least as new as the stamp, that every reader of a later write must see. */
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

    /** @param before the states that precede a write, given its transaction and its reader */
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

    /** A transaction of which another session saw a write, and a transaction of that session with a later read. */
    record Sighting(History.Transaction writer, History.Transaction reader) {}
}
