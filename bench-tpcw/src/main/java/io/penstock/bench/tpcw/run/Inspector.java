package io.penstock.bench.tpcw.run;

import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys.Pair;
import io.penstock.Penstock;
import io.penstock.Scan;
import io.penstock.Session;
import io.penstock.Transaction;
import io.penstock.bench.tpcw.bookstore.Order;
import io.penstock.bench.tpcw.bookstore.OrderLine;
import io.penstock.bench.tpcw.bookstore.Storefront;
import io.penstock.core.ConflictException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Tasks;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** A reader who looks, in one transaction, whether the latest orders have all of their lines. For one thread. */
public final class Inspector {
    private static final int LATEST = 20;

    private final Session session;
    private final Storefront shop;
    private final Tasks tasks;
    private final Consumer<SessionEvent> witness;

    public Inspector(Penstock store, Tasks tasks, Consumer<SessionEvent> witness) {
        this.session = store.newSession();
        this.shop = Storefront.open(store);
        this.tasks = tasks;
        this.witness = witness;
    }

    /** Looks once. What could not be read is not counted. */
    public void look() {
        try {
            session.transact(this::linesOfLatest)
                    .forEach((order, lines) -> witness.accept(
                            new SessionEvent(tasks.nanoTime(), new SessionEvent.OrderSeen(order, lines))));
        } catch (ConflictException | UnavailableException next) {
            // The next look comes soon.
        }
    }

    private Map<Long, Integer> linesOfLatest(Transaction tx) {
        Map<Long, Integer> lines = new HashMap<>();
        long first = Long.MAX_VALUE;
        try (Scan<Entry<Long, Order>> orders =
                tx.scan(shop.tables().orders(), KeySpan.<Long>all().reversed().limit(LATEST))) {
            while (orders.hasNext()) {
                first = orders.next().key();
                lines.put(first, 0);
            }
        }
        try (Scan<Entry<Pair<Long, Long>, OrderLine>> found =
                tx.scan(shop.tables().orderLines(), KeySpan.from(new Pair<>(first, 0L)))) {
            found.forEachRemaining(line -> lines.computeIfPresent(line.key().first(), (order, seen) -> seen + 1));
        }
        return lines;
    }
}
