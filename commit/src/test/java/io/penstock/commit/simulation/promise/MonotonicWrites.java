package io.penstock.commit.simulation.promise;

import io.penstock.commit.simulation.History;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A session's later write wins over its earlier one. No checkpoint counts a later log record of a queue as applied as
 * long as an earlier one of the same living client is missing. A reader that sees the later write on a page sees the
 * earlier one there.
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
        if (evidence.order().isSeen()) {
            violations.addAll(new Sightings(evidence).violations(sighting -> earlier(evidence, sighting)));
        }
        return violations;
    }

    /** The earlier writes of the session, if it was surely alive when its later write was seen. */
    private static List<Sightings.Before> earlier(Evidence evidence, Sightings.Sighting sighting) {
        History.Transaction later = sighting.writer();
        List<Sightings.Before> before = new ArrayList<>();
        if (evidence.order().livedAfter(evidence, later.session, sighting.reader())) {
            for (History.Transaction earlier : evidence.transactions()) {
                if (earlier == later) {
                    break;
                }
                if (earlier.session.equals(later.session) && earlier.isAcknowledged()) {
                    earlier.writes.keySet().forEach(key -> before.add(new Sightings.Before(key, earlier.stamp)));
                }
            }
        }
        return before;
    }
}
