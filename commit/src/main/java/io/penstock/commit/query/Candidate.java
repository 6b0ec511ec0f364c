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
 * @param ordered whether it meets the records in the order of the query
 */
public record Candidate(QueryPlan plan, List<KeyRange> ranges, boolean ordered) {
    /** The bytes that cost as much time as a request: what arrives during one. */
    private static final double BYTES_OF_REQUEST = 1 << 20;

    /** The price of a LIST, in GETs. */
    private static final double GETS_OF_LIST = 12.5;

    /** The number of requests that are under way at a time. */
    private static final double WIDTH = 16;

    /** The medians of requests: {@code aws-2026} in docs/PROFILES.md. */
    private static final double GET_SECONDS = 0.029;

    private static final double MIB_SECONDS = 0.016;
    private static final double LIST_SECONDS = 0.05;

    public Candidate {
        ranges = List.copyOf(ranges);
    }

    /** A scan of leaves by their keys. */
    public static Candidate keys(List<KeyRange> ranges, long leaves, long leafBytes) {
        Access access = ranges.isEmpty() ? Access.NOTHING : Access.KEYS;
        return new Candidate(plan(access, "", leaves, 0, leaves, 0, leafBytes), ranges, false);
    }

    /**
     * A scan of leaves without those that summaries leave out.
     *
     * @param leaves in these ranges
     * @param skipped leaves among them
     * @param pages of the tree whose versions must be listed; 0 if they are known
     */
    public static Candidate summaries(List<KeyRange> ranges, long leaves, long skipped, long pages, long leafBytes) {
        long read = Math.max(0, leaves - skipped);
        long lists = (pages + ObjectStores.LIST_LIMIT - 1) / ObjectStores.LIST_LIMIT;
        return new Candidate(plan(Access.SUMMARIES, "", read, skipped, read, lists, leafBytes), ranges, false);
    }

    /**
     * A scan of an index.
     *
     * @param leaves of the index
     * @param records leaves of the collection that are read besides
     */
    public static Candidate index(
            Access access, String index, List<KeyRange> ranges, long leaves, long records, long leafBytes) {
        return new Candidate(plan(access, index, leaves, 0, leaves + records, 0, leafBytes), ranges, false);
    }

    /** This way, if it meets the records in the order of the query. */
    public Candidate inOrder() {
        return new Candidate(plan, ranges, true);
    }

    private static QueryPlan plan(
            Access access, String by, long leaves, long skipped, long gets, long lists, long leafBytes) {
        double bytes = (double) gets * leafBytes;
        double seconds = GET_SECONDS * Math.ceil(gets / WIDTH)
                + MIB_SECONDS * bytes / (1 << 20) / WIDTH
                // The first one tells where the others begin.
                + LIST_SECONDS * (Math.min(lists, 1) + Math.ceil(Math.max(0, lists - 1) / WIDTH));
        return new QueryPlan(access, by, leaves, skipped, gets + lists, lists, gets * leafBytes, seconds);
    }

    /** The cost in GETs, with what their bytes take. */
    private double cost() {
        return plan.requests() + (GETS_OF_LIST - 1) * plan.lists() + plan.bytes() / BYTES_OF_REQUEST;
    }

    public boolean isCheaperThan(Candidate other) {
        return cost() < other.cost();
    }

    /** The cheapest of some candidates, one at least; of equal ones the first. */
    public static Candidate cheapest(List<Candidate> candidates) {
        return candidates.stream()
                .min(Comparator.comparingDouble(Candidate::cost))
                .orElseThrow();
    }
}
