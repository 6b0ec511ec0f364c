package io.penstock.bench.tpcw.bookstore;

import io.penstock.KeySpan;
import io.penstock.Keys.Pair;

/** The 50 newest items of a subject. Scans the index by subject; reads the authors. */
public record NewProducts(String subject) implements Interaction<Visit.Listed> {
    private static final int LISTED = 50;

    @Override
    public Visit.Listed run(Visit visit) {
        Population.requireSubject(subject);
        // The days are in descending order: the largest is the first key.
        KeySpan<Pair<String, Long>> newest =
                KeySpan.between(new Pair<>(subject, Long.MAX_VALUE), new Pair<>(subject, Long.MIN_VALUE));
        return visit.rows(visit.tx().scan(visit.shop().itemsBySubject(), newest.limit(LISTED)));
    }
}
