package io.penstock.bench.tpcw.comparison;

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
import io.penstock.bench.tpcw.figures.StockChains;
import io.penstock.core.Stamp;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compares the final content of a store with the acknowledged writes: every row of the three tables that purchases
 * write, those of the population too. For one thread.
 */
final class Verification {
    private final Bookstore bookstore;
    private final Expected<Long, Item> items;
    private final Expected<Long, Order> orders;
    private final Expected<Pair<Long, Long>, OrderLine> lines;
    private final StockChains chains = new StockChains();

    Verification(Bookstore bookstore, Population population, Tally tally) {
        this.bookstore = bookstore;
        long itemRows = population.scale().items();
        long orderRows = population.scale().orders();
        this.items = new Expected<>(id -> within(id, itemRows) ? population.item(id) : null, itemRows);
        this.orders = new Expected<>(id -> within(id, orderRows) ? population.order(id) : null, orderRows);
        this.lines = new Expected<>(key -> line(population, orderRows, key), population.orderLineRows());
        tally.acknowledged().forEach(done -> acknowledge(done.purchase(), done.stamp()));
        tally.unknown().forEach(this::tolerate);
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

    private void acknowledge(Purchase purchase, Stamp stamp) {
        orders.acknowledge(purchase.order().id(), purchase.order(), stamp);
        purchase.lines().forEach(line -> lines.acknowledge(Bookstore.keyOf(line), line, stamp));
        purchase.stock().forEach(change -> {
            items.acknowledge(change.itemId(), change.after(), stamp);
            chains.acknowledge(change);
        });
    }

    private void tolerate(Purchase purchase) {
        orders.tolerate(purchase.order().id(), purchase.order());
        purchase.lines().forEach(line -> lines.tolerate(Bookstore.keyOf(line), line));
        purchase.stock().forEach(change -> {
            items.tolerate(change.itemId(), change.after());
            chains.link(change);
        });
    }

    /** Acknowledged log records that should be in the final state and are not. */
    long lostUpdates() {
        return lost(items, bookstore.items()) + lost(orders, bookstore.orders()) + lost(lines, bookstore.orderLines());
    }

    private static <K, V> long lost(Expected<K, V> expected, RecordCollection<K, V> rows) {
        try (Scan<Entry<K, V>> found = rows.scan(KeySpan.all())) {
            return expected.lost(found);
        }
    }

    /** Acknowledged stock updates that a later one did not build on. */
    long lostStockUpdates() {
        Map<Long, Long> lastOrders = new HashMap<>();
        try (Scan<Entry<Long, Item>> found = bookstore.items().scan(KeySpan.all())) {
            found.forEachRemaining(
                    entry -> lastOrders.put(entry.key(), entry.value().stockOrder()));
        }
        return chains.lost(item -> lastOrders.getOrDefault(item, Item.FROM_POPULATION));
    }
}
