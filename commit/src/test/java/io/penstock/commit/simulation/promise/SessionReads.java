package io.penstock.commit.simulation.promise;

import io.penstock.commit.simulation.History;
import io.penstock.core.Stamp;
import java.util.List;
import java.util.Optional;

/** A check whether a read is older than something that its session knows. */
final class SessionReads {
    private SessionReads() {}

    /** The reason why the read is older than {@code atLeast}; empty when it is not, or when nothing tells. */
    static Optional<String> older(
            Evidence evidence, History.Transaction transaction, History.Read read, Stamp atLeast) {
        if (read.value() == null) {
            return mayBeDeletedAfter(evidence.transactions(), read.key(), atLeast)
                    ? Optional.empty()
                    : Optional.of(read + " after " + atLeast + " in " + transaction);
        }
        Stamp stamp = evidence.stampOf(read.value());
        return stamp != null && atLeast.isAfter(stamp)
                ? Optional.of(read + " of " + stamp + " after " + atLeast + " in " + transaction)
                : Optional.empty();
    }

    private static boolean mayBeDeletedAfter(List<History.Transaction> transactions, String key, Stamp stamp) {
        for (History.Transaction t : transactions) {
            boolean deletes = t.writes.containsKey(key) && t.writes.get(key) == null;
            if (deletes && t.mayBeCommitted() && (t.stamp.equals(Stamp.ZERO) || t.stamp.compareTo(stamp) >= 0)) {
                return true;
            }
        }
        return false;
    }
}
