package io.penstock.commit.query;

import io.penstock.core.record.KeyRange;
import io.penstock.query.Query;
import java.util.List;
import java.util.function.Supplier;

/** A reading of the summaries of a tree that has begun. Safe for use by many threads. */
public final class SummaryReading {
    private final Supplier<List<SummaryPart>> first;
    private final Supplier<List<SummaryPart>> all;

    /**
     * @param first waits for one object, with the leaves that come first
     * @param all waits for all of them
     */
    SummaryReading(Supplier<List<SummaryPart>> first, Supplier<List<SummaryPart>> all) {
        this.first = first;
        this.all = all;
    }

    SummaryReading(List<SummaryPart> known) {
        this(() -> known, () -> known);
    }

    /** The summaries of the first leaves in some ranges, asked with a query: those that are there first. */
    public Summaries first(List<KeyRange> ranges, Query query) {
        return Summaries.of(first.get(), ranges, query);
    }

    /** The summaries of the leaves in some ranges, asked with a query. */
    public Summaries all(List<KeyRange> ranges, Query query) {
        return Summaries.of(all(), ranges, query);
    }

    List<SummaryPart> all() {
        return all.get();
    }
}
