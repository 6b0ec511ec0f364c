package io.penstock.bench.tpcw.anomaly;

import io.penstock.Entry;
import io.penstock.Index;
import io.penstock.KeySpan;
import io.penstock.Keys.Pair;
import io.penstock.Penstock;
import io.penstock.Scan;
import io.penstock.bench.tpcw.bookstore.Item;
import io.penstock.bench.tpcw.bookstore.Order;
import io.penstock.bench.tpcw.bookstore.OrderLine;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.interaction.Storefront;
import io.penstock.report.IndexReport;
import java.util.HashMap;
import java.util.Map;

/**
 * The differences between the acknowledged changes and the content of the store when all clients have left and nothing
 * is pending.
 *
 * @param ordersWithoutLines acknowledged orders that are not there, or not with all lines
 */
record FinalState(long lostStockUpdates, long oversold, long ordersWithoutLines, long indexFaults) {
    static FinalState of(Penstock store, Population population, History history) {
        Storefront shop = Storefront.open(store);
        Map<Long, Long> lastChanges = new HashMap<>();
        long oversold = 0;
        try (Scan<Entry<Long, Item>> items = shop.tables().items().scan(KeySpan.all())) {
            for (Entry<Long, Item> entry : (Iterable<Entry<Long, Item>>) () -> items) {
                Item item = entry.value();
                lastChanges.put(item.id(), item.stockOrder());
                if (history.isCertain(item.id())) {
                    long expected = population.item(item.id()).stock() + history.stockDelta(item.id());
                    oversold += item.stock() < 0 || item.stock() != expected ? 1 : 0;
                }
            }
        }
        long lost = history.chains().lost(item -> lastChanges.getOrDefault(item, Item.FROM_POPULATION));
        return new FinalState(lost, oversold, ordersWithoutLines(shop, population, history), indexFaults(store, shop));
    }

    private static long ordersWithoutLines(Storefront shop, Population population, History history) {
        long first = population.scale().orders() + 1;
        Map<Long, Integer> missing = history.acknowledgedOrders();
        try (Scan<Entry<Pair<Long, Long>, OrderLine>> lines =
                shop.tables().orderLines().scan(KeySpan.from(new Pair<>(first, 0L)))) {
            lines.forEachRemaining(line -> missing.computeIfPresent(line.key().first(), (order, left) -> left - 1));
        }
        long without = 0;
        try (Scan<Entry<Long, Order>> orders = shop.tables().orders().scan(KeySpan.from(first))) {
            while (orders.hasNext()) {
                Integer left = missing.remove(orders.next().key());
                without += left != null && left > 0 ? 1 : 0;
            }
        }
        return without + missing.size();
    }

    private static long indexFaults(Penstock store, Storefront shop) {
        long faults = 0;
        for (Index<?, ?, ?> index : shop.indexes()) {
            IndexReport report = store.admin().check(index);
            faults += report.leftOver() + report.missing();
        }
        return faults;
    }
}
