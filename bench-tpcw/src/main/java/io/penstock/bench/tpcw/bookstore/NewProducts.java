package io.penstock.bench.tpcw.bookstore;

import io.penstock.KeySpan;
import io.penstock.Keys.Pair;
import java.util.List;

/** The 50 newest items of a subject. Scans the index by subject; reads the authors. */
public record NewProducts(String subject) implements Interaction<NewProducts.Shown> {
    private static final int LISTED = 50;

    /** The content of the page. */
    public record Shown(String subject, List<Visit.Row> rows) implements Interaction.Shown {}

    @Override
    public Shown run(Visit visit) {
        return new Shown(subject, ofSubject(visit, subject));
    }

    static List<Visit.Row> ofSubject(Visit visit, String subject) {
        if (!Population.SUBJECTS.contains(subject)) {
            throw new ShopException("There is no such subject.");
        }
        // The days are in descending order: the largest is the first key.
        KeySpan<Pair<String, Long>> newest =
                KeySpan.between(new Pair<>(subject, Long.MAX_VALUE), new Pair<>(subject, Long.MIN_VALUE));
        return visit.rows(visit.tx().scan(visit.shop().itemsBySubject(), newest.limit(LISTED)));
    }
}
