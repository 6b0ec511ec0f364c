package io.penstock.bench.tpcw.bookstore;

import io.penstock.RecordCollection;
import io.penstock.Transaction;
import io.penstock.core.CorruptDataException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The paper's transaction and what it wrote: read a customer record, search six products, order three of them. That is
 * seven reads and {@value #LOG_RECORDS} log records: three stock updates, the order, its three lines. No row of
 * CC_XACTS is written: the paper's transaction has none.
 *
 * @param order the order inserted
 * @param lines its lines
 * @param stock the change of each item ordered
 */
public record Purchase(Order order, List<OrderLine> lines, List<StockChange> stock) {
    /** The log records of one purchase. */
    public static final int LOG_RECORDS = 2 * PurchasePlan.ORDERED + 1;

    private static final String STATUS = "PENDING";

    /**
     * One link of an item's chain of stock updates.
     *
     * @param previousOrder the order that had changed the stock before, as this purchase saw it
     * @param delta by how much the stock changed, seen from there
     * @param after the item as it was put
     */
    public record StockChange(long previousOrder, int delta, Item after) {
        /** The change from {@code before} to {@code after}. */
        public static StockChange between(Item before, Item after) {
            return new StockChange(before.stockOrder(), after.stock() - before.stock(), after);
        }

        public long itemId() {
            return after.id();
        }

        public long order() {
            return after.stockOrder();
        }
    }

    /** Reads and writes by {@code plan} within {@code tx}; the caller commits. */
    public static Purchase make(Transaction tx, Bookstore bookstore, PurchasePlan plan) {
        Customer customer = read(tx, bookstore.customers(), plan.customerId());
        List<Item> found = plan.itemIds().stream()
                .map(item -> read(tx, bookstore.items(), item))
                .toList();
        Purchase purchase = compose(customer, found, plan);
        purchase.put(tx, bookstore);
        return purchase;
    }

    /** Puts the stock, the order and its lines. */
    public void put(Transaction tx, Bookstore bookstore) {
        stock.forEach(change -> tx.put(bookstore.items(), change.itemId(), change.after()));
        tx.put(bookstore.orders(), order.id(), order);
        lines.forEach(line -> tx.put(bookstore.orderLines(), Bookstore.keyOf(line), line));
    }

    /** The writes of a customer that found these items. */
    static Purchase compose(Customer customer, List<Item> found, PurchasePlan plan) {
        List<Position> positions = IntStream.range(0, PurchasePlan.ORDERED)
                .mapToObj(i -> new Position(
                        found.get(i), plan.quantities().get(i), plan.comments().get(i)))
                .toList();
        Terms terms = new Terms(plan.orderId(), Population.TODAY, plan.shipType(), customer.addressId());
        return of(customer, positions, terms);
    }

    /** A position of the order: the copies bought of one item. */
    public record Position(Item item, int quantity, String comments) {}

    /** The terms of an order. */
    public record Terms(long orderId, LocalDate date, String shipType, long shipAddressId) {}

    /** The purchase of these positions by {@code customer}. */
    public static Purchase of(Customer customer, List<Position> positions, Terms terms) {
        List<OrderLine> lines = new ArrayList<>();
        List<StockChange> stock = new ArrayList<>();
        long gross = 0;
        for (Position position : positions) {
            Item item = position.item;
            int quantity = position.quantity;
            gross += item.costCents() * quantity;
            stock.add(StockChange.between(item, item.sold(quantity, terms.orderId)));
            lines.add(new OrderLine(
                    lines.size() + 1,
                    terms.orderId,
                    item.id(),
                    quantity,
                    customer.discountPercent(),
                    position.comments));
        }
        long subTotal = gross * (100 - customer.discountPercent()) / 100;
        Order order = new Order(
                terms.orderId,
                customer.id(),
                terms.date,
                subTotal,
                Order.taxCents(subTotal),
                Order.totalCents(subTotal, lines.size()),
                terms.shipType,
                terms.date.plusDays(1),
                customer.addressId(),
                terms.shipAddressId,
                STATUS);
        return new Purchase(order, List.copyOf(lines), List.copyOf(stock));
    }

    private static <V> V read(Transaction tx, RecordCollection<Long, V> rows, long id) {
        return tx.get(rows, id)
                .orElseThrow(() -> new CorruptDataException(
                        "a row of the population is gone; check the store", "collection", rows.name(), "id", id));
    }
}
