package io.penstock.bench.tpcw.bookstore;

import io.penstock.Entry;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The best sellers of each subject, kept for 30 seconds: the standard lets this page be so old. One pass over the
 * latest orders serves all subjects. Safe for use by many threads: one of them renews the lists, the others go on with
 * the old ones.
 */
final class BestSellerLists {
    private static final int ORDERS = 3_333;
    private static final int ITEMS = 50;
    private static final Duration LASTS = Duration.ofSeconds(30);

    private final Bookstore tables;
    private final Timekeeper time;
    private final AtomicBoolean renewing = new AtomicBoolean();
    private volatile Lists lists;

    private record Lists(Map<String, List<Entry<Long, Storefront.Listing>>> bySubject, long readAt) {}

    /** Reads the first lists. */
    BestSellerLists(Bookstore tables, Timekeeper time) {
        this.tables = tables;
        this.time = time;
        this.lists = read();
    }

    List<Entry<Long, Storefront.Listing>> of(String subject) {
        if (time.nanoTime() - lists.readAt > LASTS.toNanos() && renewing.compareAndSet(false, true)) {
            try {
                lists = read();
            } finally {
                renewing.set(false);
            }
        }
        return lists.bySubject.getOrDefault(subject, List.of());
    }

    private Lists read() {
        long now = time.nanoTime();
        Map<Long, Long> sold = RecentOrders.read(tables, ORDERS).sold();
        Comparator<Item> bestFirst = Comparator.comparing(item -> -sold.getOrDefault(item.id(), 0L));
        Collection<Item> items = tables.items().getAll(sold.keySet()).values();
        Map<String, List<Entry<Long, Storefront.Listing>>> bySubject = new HashMap<>();
        for (String subject : Population.SUBJECTS) {
            List<Entry<Long, Storefront.Listing>> best = items.stream()
                    .filter(item -> item.subject().equals(subject))
                    .sorted(bestFirst.thenComparing(Item::id))
                    .limit(ITEMS)
                    .map(item -> new Entry<>(item.id(), Storefront.Listing.of(item)))
                    .toList();
            bySubject.put(subject, best);
        }
        return new Lists(bySubject, now);
    }
}
