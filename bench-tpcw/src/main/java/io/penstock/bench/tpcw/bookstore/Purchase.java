package io.penstock.bench.tpcw.bookstore;

import io.penstock.RecordCollection;
import io.penstock.Transaction;
import io.penstock.core.CorruptDataException;
import java.util.ArrayList;
import java.util.List;

/**
 * The paper's transaction and what it wrote: read a customer record, search six products, order three of them. That is
 * seven reads and {@value #LOG_RECORDS} log records: three stock updates, the order, its three lines. No row of
 * CC_XACTS is written: the paper's transaction has none.
 *
 * @param order the order inserted
 * @param lines its lines
 * @param stock what it did to each item ordered
 */
public record Purchase(Order order, List<OrderLine> lines, List<StockChange> stock) {
    /** The log records of one purchase. */
    public static final int LOG_RECORDS = 2 * PurchasePlan.ORDERED + 1;

    private static final String STATUS = "PENDING";

    /**
     * One link of an item's chain of stock updates.
     *
     * @param previousOrder the order that had changed the stock before, as this purchase saw it
     * @param after the item as it was put
     */
    public record StockChange(long previousOrder, Item after) {
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
        List<Item> found = new ArrayList<>(PurchasePlan.SEARCHED);
        for (long item : plan.itemIds()) {
            found.add(read(tx, bookstore.items(), item));
        }
        Purchase purchase = compose(customer, found, plan);
        purchase.stock.forEach(change -> tx.put(bookstore.items(), change.itemId(), change.after()));
        tx.put(bookstore.orders(), purchase.order.id(), purchase.order);
        purchase.lines.forEach(line -> tx.put(bookstore.orderLines(), Bookstore.keyOf(line), line));
        return purchase;
    }

    /** The writes of a customer that found these items. */
    static Purchase compose(Customer customer, List<Item> found, PurchasePlan plan) {
        List<OrderLine> lines = new ArrayList<>(PurchasePlan.ORDERED);
        List<StockChange> stock = new ArrayList<>(PurchasePlan.ORDERED);
        long gross = 0;
        for (int i = 0; i < PurchasePlan.ORDERED; i++) {
            Item item = found.get(i);
            int quantity = plan.quantities().get(i);
            gross += item.costCents() * quantity;
            stock.add(new StockChange(item.stockOrder(), item.sold(quantity, plan.orderId())));
            String comments = plan.comments().get(i);
            lines.add(new OrderLine(i + 1, plan.orderId(), item.id(), quantity, customer.discountPercent(), comments));
        }
        long subTotal = gross * (100 - customer.discountPercent()) / 100;
        Order order = new Order(
                plan.orderId(),
                customer.id(),
                Population.TODAY,
                subTotal,
                Order.taxCents(subTotal),
                Order.totalCents(subTotal, lines.size()),
                plan.shipType(),
                Population.TODAY.plusDays(1),
                customer.addressId(),
                customer.addressId(),
                STATUS);
        return new Purchase(order, List.copyOf(lines), List.copyOf(stock));
    }

    private static <V> V read(Transaction tx, RecordCollection<Long, V> rows, long id) {
        return tx.get(rows, id)
                .orElseThrow(() -> new CorruptDataException(
                        "a row of the population is gone; check the store", "collection", rows.name(), "id", id));
    }
}
