package io.penstock.bench.tpcw.run;

import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys.Pair;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.bench.tpcw.bookstore.Bookstore;
import io.penstock.bench.tpcw.bookstore.Item;
import io.penstock.bench.tpcw.bookstore.Order;
import io.penstock.bench.tpcw.bookstore.OrderLine;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Purchase;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The purchases of all clients and their outcomes, compared in the end with the content of the store: every row of the
 * three tables that purchases write, those of the population too. Safe for use by many threads.
 */
final class Verification implements Consumer<SessionEvent> {
    private final ReentrantLock lock = new ReentrantLock();
    private final Expected<Long, Item> items;
    private final Expected<Long, Order> orders;
    private final Expected<Pair<Long, Long>, OrderLine> lines;
    private final StockChains chains = new StockChains();

    /** The duration of each acknowledged purchase, retries included. */
    private final List<Long> nanos = new ArrayList<>();

    private long failed;
    private long unknown;

    Verification(Population population) {
        long itemRows = population.scale().items();
        long orderRows = population.scale().orders();
        this.items = new Expected<>(id -> within(id, itemRows) ? population.item(id) : null, itemRows);
        this.orders = new Expected<>(id -> within(id, orderRows) ? population.order(id) : null, orderRows);
        this.lines = new Expected<>(key -> line(population, orderRows, key), population.orderLineRows());
    }

    private static boolean within(long id, long rows) {
        return 1 <= id && id <= rows;
    }

    private static @Nullable OrderLine line(Population population, long orders, Pair<Long, Long> key) {
        if (!within(key.first(), orders)) {
            return null;
        }
        List<OrderLine> rows = population.orderLines(key.first());
        return within(key.second(), rows.size()) ? rows.get(key.second().intValue() - 1) : null;
    }

    @Override
    public void accept(SessionEvent event) {
        lock.lock();
        try {
            switch (event.fact()) {
                case SessionEvent.Bought bought -> {
                    nanos.add(bought.tookNanos());
                    acknowledge(bought.purchase(), bought.stamp());
                }
                case SessionEvent.PerhapsBought perhaps -> {
                    unknown++;
                    tolerate(perhaps.purchase());
                }
                case SessionEvent.Failed failure -> failed++;
                case SessionEvent.Fact other ->
                    throw new IllegalStateException(
                            "no shopper tells this: " + other.getClass().getSimpleName());
            }
        } finally {
            lock.unlock();
        }
    }

    private void acknowledge(Purchase purchase, Stamp stamp) {
        orders.acknowledge(purchase.order().id(), purchase.order(), stamp);
        purchase.lines().forEach(line -> lines.acknowledge(Bookstore.keyOf(line), line, stamp));
        purchase.stock().forEach(change -> items.acknowledge(change.itemId(), change.after(), stamp));
        purchase.stock().forEach(chains::acknowledge);
    }

    private void tolerate(Purchase purchase) {
        orders.tolerate(purchase.order().id(), purchase.order());
        purchase.lines().forEach(line -> lines.tolerate(Bookstore.keyOf(line), line));
        purchase.stock().forEach(change -> items.tolerate(change.itemId(), change.after()));
        purchase.stock().forEach(chains::link);
    }

    /** The verdict, when all clients have left and nothing is pending. */
    LevelResult judge(
            RunPlan plan,
            Farm.Bill bill,
            Farm.Closing closing,
            Bookstore bookstore,
            long pending,
            List<String> violations) {
        return new LevelResult(
                plan,
                nanos.size(),
                failed,
                unknown,
                Latencies.of(nanos),
                bill.transaction(),
                bill.checkpoint().plus(closing.checkpoint()),
                lost(items, bookstore.items()) + lost(orders, bookstore.orders()) + lost(lines, bookstore.orderLines()),
                lostStockUpdates(bookstore),
                pending,
                violations,
                closing.notes());
    }

    private static <K, V> long lost(Expected<K, V> expected, RecordCollection<K, V> rows) {
        try (Scan<Entry<K, V>> found = rows.scan(KeySpan.all())) {
            return expected.lost(found);
        }
    }

    /** Acknowledged stock updates that a later one did not build on. */
    private long lostStockUpdates(Bookstore bookstore) {
        Map<Long, Long> lastOrders = new HashMap<>();
        try (Scan<Entry<Long, Item>> found = bookstore.items().scan(KeySpan.all())) {
            found.forEachRemaining(
                    entry -> lastOrders.put(entry.key(), entry.value().stockOrder()));
        }
        return chains.lost(item -> lastOrders.getOrDefault(item, Item.FROM_POPULATION));
    }

    /**
     * The expected content of one collection: its population merged with all acknowledged writes, the newest stamp
     * wins. For one thread.
     */
    static final class Expected<K, V> {
        private record Winner<V>(V value, Stamp stamp) {}

        private final Function<K, @Nullable V> population;
        private final long populationRows;
        private final Map<K, Winner<V>> winners = new HashMap<>();
        private final Map<K, Set<V>> tolerated = new HashMap<>();

        /** @param population the row of a key, null for a key that it does not have */
        Expected(Function<K, @Nullable V> population, long populationRows) {
            this.population = population;
            this.populationRows = populationRows;
        }

        /** An acknowledged write. */
        void acknowledge(K key, V value, Stamp stamp) {
            Winner<V> present = winners.get(key);
            if (present == null || stamp.isAfter(present.stamp)) {
                winners.put(key, new Winner<>(value, stamp));
            }
        }

        /**
         * A write of unknown outcome: its stamp is not known either, so finding it is no loss of what was there before.
         */
        void tolerate(K key, V value) {
            tolerated.computeIfAbsent(key, k -> new HashSet<>()).add(value);
        }

        /**
         * Counts the acknowledged rows that are missing from {@code found} or differ there. {@code found} is in key
         * order.
         */
        long lost(Iterator<Entry<K, V>> found) {
            long kept = 0;
            K last = null;
            while (found.hasNext()) {
                Entry<K, V> entry = found.next();
                if (!entry.key().equals(last) && isExpected(entry)) {
                    kept++;
                }
                last = entry.key();
            }
            long added = winners.keySet().stream()
                    .filter(key -> population.apply(key) == null)
                    .count();
            return populationRows + added - kept;
        }

        private boolean isExpected(Entry<K, V> entry) {
            Winner<V> winner = winners.get(entry.key());
            V wanted = winner == null ? population.apply(entry.key()) : winner.value;
            if (wanted == null) {
                return false;
            }
            return wanted.equals(entry.value())
                    || tolerated.getOrDefault(entry.key(), Set.of()).contains(entry.value());
        }
    }
}
