package io.penstock.commit.query;

import io.penstock.query.QueryPlan;
import java.util.function.LongSupplier;

/** The plan of a query that is being answered, and what it has cost so far. For one thread. */
public final class Progress {
    private static final double NANOS = 1e9;

    private final LongSupplier requests;
    private final LongSupplier clock;
    private final long before;
    private final long begun;
    private QueryPlan plan = new QueryPlan(QueryPlan.Access.NOTHING, "", 0, 0, 0, 0, 0, 0);
    private long leafBytes;

    /**
     * @param requests the requests for pages of this client since it was opened
     * @param clock in nanoseconds
     */
    public Progress(LongSupplier requests, LongSupplier clock) {
        this.requests = requests;
        this.clock = clock;
        this.before = requests.getAsLong();
        this.begun = clock.getAsLong();
    }

    /** Notes the plan that is followed from now on. */
    public void follow(QueryPlan followed, long bytesOfLeaf) {
        plan = followed;
        leafBytes = bytesOfLeaf;
    }

    /** Notes how many leaves are skipped, since they have not changed. */
    public void skip(long leaves) {
        long all = plan.leaves() + plan.skipped();
        plan = new QueryPlan(
                plan.access(),
                plan.by(),
                Math.max(0, all - leaves),
                leaves,
                plan.requests(),
                plan.lists(),
                plan.bytes(),
                plan.seconds());
    }

    /** Returns the plan with what was asked for so far. */
    public QueryPlan plan() {
        long made = requests.getAsLong() - before;
        long lists = Math.min(made, plan.lists());
        return new QueryPlan(
                plan.access(),
                plan.by(),
                plan.leaves(),
                plan.skipped(),
                made,
                lists,
                (made - lists) * leafBytes,
                (clock.getAsLong() - begun) / NANOS);
    }
}
