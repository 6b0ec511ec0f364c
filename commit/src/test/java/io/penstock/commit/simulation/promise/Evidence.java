package io.penstock.commit.simulation.promise;

import io.penstock.FinalState;
import io.penstock.commit.simulation.History;
import io.penstock.commit.simulation.Workload;
import io.penstock.core.Stamp;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The evidence of a run. Keys are {@code collection/key}.
 *
 * @param end the content of the pages when nothing is pending any more, tombstones included
 * @param others the live records at that time, as a client reads them that was there before
 * @param trees the faults of trees
 * @param memory bounds that were exceeded
 * @param holes numbers of living clients that a ledger passes over
 * @param order where the order of writes can be seen by others
 * @param space pages that were missing, and pages that should be
 */
public record Evidence(
        Workload workload,
        History history,
        Map<String, FinalState.Found> end,
        Map<String, String> others,
        ByIndex byIndex,
        List<String> trees,
        List<String> memory,
        List<String> holes,
        Order order,
        Space space,
        Map<String, Stamp> stampOf) {
    /**
     * The pages that went wrong.
     *
     * @param missing those that a page referred to when they did not exist
     * @param orphans those that exist although nothing leads to them, after garbage was collected
     */
    public record Space(List<String> missing, List<String> orphans) {
        public static final Space NONE = new Space(List.of(), List.of());
    }

    /** The live records of one collection as its index finds them. */
    public record ByIndex(String collection, Map<String, String> found) {
        public static final ByIndex NONE = new ByIndex("", Map.of());
    }

    /** Learns the stamps of writes from the history and, for transactions of unknown outcome, from what they left. */
    public Evidence(
            Workload workload,
            History history,
            Map<String, FinalState.Found> end,
            Map<String, String> others,
            ByIndex byIndex,
            List<String> trees,
            List<String> memory,
            List<String> holes,
            Order order,
            Space space) {
        this(workload, history, end, others, byIndex, trees, memory, holes, order, space, new HashMap<>());
        for (History.Transaction transaction : history.transactions()) {
            transaction.writes.forEach((key, value) -> {
                FinalState.Found found = end.get(key);
                if (value != null && found != null && value.equals(found.value())) {
                    transaction.stamp = found.stamp();
                }
            });
            transaction.writes.forEach((key, value) -> {
                if (value != null && !transaction.stamp.equals(Stamp.ZERO)) {
                    stampOf.put(value, transaction.stamp);
                }
            });
        }
    }

    /** The stamp of the write of a value, or null when nothing has shown it. */
    @Nullable
    Stamp stampOf(@Nullable String value) {
        return value == null ? null : stampOf.get(value);
    }

    List<History.Transaction> transactions() {
        return history.transactions();
    }
}
