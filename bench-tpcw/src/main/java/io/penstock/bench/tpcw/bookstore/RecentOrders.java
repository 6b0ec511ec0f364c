package io.penstock.bench.tpcw.bookstore;

import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys.Pair;
import io.penstock.Scan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The lines of the latest orders, by the two scans that read them. They are read outside of any transaction: what is
 * made of them need not be of this moment, and thousands of records in its reads would make a transaction fail for
 * every order that another customer makes.
 */
record RecentOrders(List<OrderLine> lines, Map<Long, Long> customers) {
    /** Reads the latest {@code count} orders. */
    static RecentOrders read(Bookstore tables, long count) {
        Map<Long, Long> customers = new HashMap<>();
        long first = Long.MAX_VALUE;
        try (Scan<Entry<Long, Order>> orders =
                tables.orders().scan(KeySpan.all().reversed().limit(count))) {
            while (orders.hasNext()) {
                Entry<Long, Order> order = orders.next();
                customers.put(order.key(), order.value().customerId());
                first = order.key();
            }
        }
        if (customers.isEmpty()) {
            return new RecentOrders(List.of(), customers);
        }
        try (Scan<Entry<Pair<Long, Long>, OrderLine>> lines =
                tables.orderLines().scan(KeySpan.from(new Pair<>(first, 0L)))) {
            return new RecentOrders(lines.toEnd().stream().map(Entry::value).toList(), customers);
        }
    }

    /** Copies sold of each item. */
    Map<Long, Long> sold() {
        Map<Long, Long> sold = new HashMap<>();
        lines.forEach(line -> sold.merge(line.itemId(), (long) line.quantity(), Long::sum));
        return sold;
    }

    /** Copies sold of other items to customers who bought {@code itemId} too. */
    Map<Long, Long> soldTogetherWith(long itemId) {
        Set<Long> buyers = lines.stream()
                .filter(line -> line.itemId() == itemId)
                .map(line -> customers.getOrDefault(line.orderId(), 0L))
                .collect(Collectors.toSet());
        Map<Long, Long> sold = new HashMap<>();
        lines.stream()
                .filter(line -> line.itemId() != itemId && buyers.contains(customers.getOrDefault(line.orderId(), 0L)))
                .forEach(line -> sold.merge(line.itemId(), (long) line.quantity(), Long::sum));
        return sold;
    }
}
