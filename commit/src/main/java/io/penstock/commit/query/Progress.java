package io.penstock.commit.query;

import io.penstock.query.QueryPlan;
import org.jspecify.annotations.Nullable;

/** The plan of a query that is being answered, and how far it has come. For one thread. */
public final class Progress {
    private @Nullable QueryPlan plan;

    /** Notes the plan that is followed from now on. */
    public void follow(QueryPlan followed) {
        plan = followed;
    }

    /** Returns the plan with what was read so far. */
    public QueryPlan plan() {
        return plan == null ? new QueryPlan(QueryPlan.Access.NOTHING, "", 0, 0, 0, 0) : plan;
    }
}
