package io.penstock.commit.query;

import io.penstock.core.object.ObjectStores;
import io.penstock.core.record.KeyRange;
import io.penstock.query.QueryPlan;
import io.penstock.query.QueryPlan.Access;
import java.util.Comparator;
import java.util.List;

/**
 * A way in which a query could be answered, and its cost. Immutable.
 *
 * @param ranges of keys or of entries of the index
 */
public record Candidate(QueryPlan plan, List<KeyRange> ranges) {
    /** The bytes that cost as much time as a request: what arrives during one. */
    private static final double BYTES_OF_REQUEST = 1 << 20;

    public Candidate {
        ranges = List.copyOf(ranges);
    }

    /** A scan of leaves by their keys. */
    public static Candidate keys(List<KeyRange> ranges, long leaves, long leafBytes) {
        Access access = ranges.isEmpty() ? Access.NOTHING : Access.KEYS;
        return new Candidate(new QueryPlan(access, "", leaves, 0, leaves, 0, leaves * leafBytes), ranges);
    }

    /**
     * A scan of leaves without those that summaries leave out.
     *
     * @param leaves in these ranges
     * @param skipped leaves among them
     * @param pages of the tree, whose versions must be listed
     */
    public static Candidate summaries(List<KeyRange> ranges, long leaves, long skipped, long pages, long leafBytes) {
        long read = Math.max(0, leaves - skipped);
        long lists = (pages + ObjectStores.LIST_LIMIT - 1) / ObjectStores.LIST_LIMIT;
        return new Candidate(
                new QueryPlan(Access.SUMMARIES, "", read, skipped, read + lists, lists, read * leafBytes), ranges);
    }

    /**
     * A scan of an index.
     *
     * @param leaves of the index
     * @param records leaves of the collection that are read besides, at most
     */
    public static Candidate index(
            Access access, String index, List<KeyRange> ranges, long leaves, long records, long leafBytes) {
        long requests = leaves + records;
        return new Candidate(new QueryPlan(access, index, leaves, 0, requests, 0, requests * leafBytes), ranges);
    }

    /** The cost in requests, with what their bytes take. */
    double cost() {
        return plan.requests() + plan.bytes() / BYTES_OF_REQUEST;
    }

    /** The cheapest of some candidates, one at least; of equal ones the first. */
    public static Candidate cheapest(List<Candidate> candidates) {
        return candidates.stream()
                .min(Comparator.comparingDouble(Candidate::cost))
                .orElseThrow();
    }
}
