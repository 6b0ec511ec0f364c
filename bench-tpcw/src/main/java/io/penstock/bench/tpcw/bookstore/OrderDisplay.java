package io.penstock.bench.tpcw.bookstore;

import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys.Pair;
import io.penstock.Scan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A customer's last order. Scans customers by user name, orders by customer and the order's lines; reads its payment
 * and the address it ships to.
 */
public record OrderDisplay(String userName, String password) implements Interaction<OrderDisplay.Shown> {
    /** @param last null for a customer without orders */
    public record Shown(Customer customer, @Nullable Last last) implements Interaction.Shown {}

    /** The last order. What another transaction has not written yet, or never will, is not there. */
    public record Last(
            Order order,
            List<OrderLine> lines,
            @Nullable CardPayment payment,
            @Nullable Address shipTo) {}

    @Override
    public Shown run(Visit visit) {
        Customer customer = visit.signIn(userName, password);
        KeySpan<Long> own = KeySpan.between(customer.id(), customer.id() + 1);
        try (Scan<Entry<Long, Order>> orders =
                visit.tx().scan(visit.shop().ordersByCustomer(), own.reversed().limit(1))) {
            return new Shown(
                    customer, orders.hasNext() ? last(visit, orders.next().value()) : null);
        }
    }

    private static Last last(Visit visit, Order order) {
        return new Last(
                order,
                linesOf(visit, order.id()),
                visit.tx().get(visit.tables().cardPayments(), order.id()).orElse(null),
                visit.tx()
                        .get(visit.tables().addresses(), order.shipAddressId())
                        .orElse(null));
    }

    static List<OrderLine> linesOf(Visit visit, long orderId) {
        KeySpan<Pair<Long, Long>> span = KeySpan.between(new Pair<>(orderId, 0L), new Pair<>(orderId + 1, 0L));
        try (Scan<Entry<Pair<Long, Long>, OrderLine>> lines =
                visit.tx().scan(visit.tables().orderLines(), span)) {
            return lines.stream().map(Entry::value).toList();
        }
    }
}
