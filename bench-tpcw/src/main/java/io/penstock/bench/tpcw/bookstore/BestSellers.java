package io.penstock.bench.tpcw.bookstore;

import java.util.List;

/**
 * The 50 items of a subject of which the latest 3,333 orders have the most copies. Every 30 seconds a server scans
 * these orders and their lines and reads their items; otherwise it reads only the authors.
 */
public record BestSellers(String subject) implements Interaction<BestSellers.Shown> {
    /** The content of the page. */
    public record Shown(String subject, List<Visit.Row> rows) implements Interaction.Shown {}

    @Override
    public Shown run(Visit visit) {
        if (!Population.SUBJECTS.contains(subject)) {
            throw new ShopException("There is no such subject.");
        }
        return new Shown(subject, visit.withAuthors(visit.bestSellers().of(subject)));
    }
}
