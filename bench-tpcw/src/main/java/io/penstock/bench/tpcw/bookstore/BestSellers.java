package io.penstock.bench.tpcw.bookstore;

/**
 * The 50 items of a subject of which the latest 3,333 orders have the most copies. Every 30 seconds a server scans
 * these orders and their lines and reads their items; otherwise it reads only the authors.
 */
public record BestSellers(String subject) implements Interaction<Visit.Listed> {
    @Override
    public Visit.Listed run(Visit visit) {
        Population.requireSubject(subject);
        return visit.withAuthors(visit.bestSellers().of(subject));
    }
}
