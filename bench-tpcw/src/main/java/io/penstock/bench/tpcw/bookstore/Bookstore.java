package io.penstock.bench.tpcw.bookstore;

import io.penstock.Index;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Keys.Pair;
import io.penstock.Penstock;
import io.penstock.RecordCollection;

/**
 * The eight tables, as collections of an open store.
 *
 * <p>Customers have an index by user name, which the paper's transaction does not touch. Items and orders have none
 * here, though the standard searches them by title, author and subject: each index adds log records to every update,
 * and the paper's transaction has seven in all. Programs that run the standard's interactions open a {@code
 * Storefront}, which adds them.
 *
 * @param customersByUserName for sign-in by C_UNAME
 */
public record Bookstore(
        RecordCollection<Long, Country> countries,
        RecordCollection<Long, Author> authors,
        RecordCollection<Long, Item> items,
        RecordCollection<Long, Address> addresses,
        RecordCollection<Long, Customer> customers,
        Index<String, Long, Customer> customersByUserName,
        RecordCollection<Long, Order> orders,
        RecordCollection<Pair<Long, Long>, OrderLine> orderLines,
        RecordCollection<Long, CardPayment> cardPayments) {
    /** Declares all collections; creates the missing ones. */
    public static Bookstore open(Penstock store) {
        RecordCollection<Long, Customer> customers = table(store, "customers", Customer.class);
        return new Bookstore(
                table(store, "countries", Country.class),
                table(store, "authors", Author.class),
                table(store, "items", Item.class),
                table(store, "addresses", Address.class),
                customers,
                customers.index("by-user-name", Keys.string(), Customer::userName),
                table(store, "orders", Order.class),
                store.collection("order-lines", Keys.pair(Keys.longs(), Keys.longs()), Json.of(OrderLine.class)),
                table(store, "card-payments", CardPayment.class));
    }

    private static <V> RecordCollection<Long, V> table(Penstock store, String name, Class<V> type) {
        return store.collection(name, Keys.longs(), Json.of(type));
    }

    /** The key of an order line: its order, then its number within the order. */
    public static Pair<Long, Long> keyOf(OrderLine line) {
        return new Pair<>(line.orderId(), line.id());
    }
}
