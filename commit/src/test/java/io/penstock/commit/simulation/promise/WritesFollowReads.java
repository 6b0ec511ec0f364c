package io.penstock.commit.simulation.promise;

import io.penstock.commit.simulation.History;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A write wins over everything that its transaction has read, and a reader that sees it on a page sees that there. */
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
            Stream.concat(transaction.reads.stream(), transaction.otherReads.stream())
                    .map(read -> evidence.stampOf(read.value()))
                    .filter(stamp -> stamp != null && !transaction.stamp.isAfter(stamp))
                    .forEach(stamp -> violations.add(transaction + " read a value of " + stamp));
        }
        if (evidence.order().isSeen()) {
            violations.addAll(new Sightings(evidence).violations(sighting -> read(evidence, sighting.writer())));
        }
        return violations;
    }

    private static List<Sightings.Before> read(Evidence evidence, History.Transaction writer) {
        List<Sightings.Before> before = new ArrayList<>();
        for (History.Read read : writer.reads) {
            Stamp stamp = evidence.stampOf(read.value());
            if (stamp != null && !isOwn(evidence, writer, read)) {
                before.add(new Sightings.Before(read.key(), stamp));
            }
        }
        return before;
    }

    /** Whether the session read its own write, which may not be on any page yet: that belongs to monotonic writes. */
    private static boolean isOwn(Evidence evidence, History.Transaction writer, History.Read read) {
        return evidence.transactions().stream()
                .anyMatch(t -> t.session.equals(writer.session)
                        && read.value() != null
                        && read.value().equals(t.writes.get(read.key())));
    }
}
