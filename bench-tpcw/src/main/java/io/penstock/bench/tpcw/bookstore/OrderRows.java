package io.penstock.bench.tpcw.bookstore;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** ORDERS, ORDER_LINE and CC_XACTS by clause 4.7.1. */
final class OrderRows {
    static final List<String> SHIP_TYPES = List.of("AIR", "UPS", "FEDEX", "SHIP", "COURIER", "MAIL");
    static final List<String> STATUSES = List.of("PROCESSING", "SHIPPED", "PENDING", "DENIED");
    static final List<String> CARDS = List.of("VISA", "MASTERCARD", "DISCOVER", "AMEX", "DINERS");
    static final int LINES_MAX = 5;

    private final long seed;
    private final Scale scale;

    OrderRows(long seed, Scale scale) {
        this.seed = seed;
        this.scale = scale;
    }

    int lines(long orderId) {
        return Draws.of(seed, "lines", orderId).between(1, LINES_MAX);
    }

    Order order(long id) {
        Draws draws = Draws.of(seed, "order", id);
        LocalDate date = Population.TODAY.minusDays(draws.between(1, 60));
        long subTotalCents = draws.between(1_000L, 999_999L);
        return new Order(
                id,
                draws.between(1, scale.customers()),
                date,
                subTotalCents,
                Order.taxCents(subTotalCents),
                Order.totalCents(subTotalCents, lines(id)),
                draws.pick(SHIP_TYPES),
                date.plusDays(draws.between(0, 7)),
                draws.between(1, scale.addresses()),
                draws.between(1, scale.addresses()),
                draws.pick(STATUSES));
    }

    List<OrderLine> orderLines(long orderId) {
        Draws draws = Draws.of(seed, "order line", orderId);
        int lines = lines(orderId);
        List<OrderLine> rows = new ArrayList<>(lines);
        for (int line = 1; line <= lines; line++) {
            rows.add(new OrderLine(
                    line,
                    orderId,
                    draws.between(1, scale.items()),
                    draws.between(1, 300),
                    draws.between(0, 3),
                    draws.aString(20, 100)));
        }
        return rows;
    }

    CardPayment cardPayment(long orderId) {
        Draws draws = Draws.of(seed, "card payment", orderId);
        Order order = order(orderId);
        return new CardPayment(
                orderId,
                draws.pick(CARDS),
                draws.nString(16, 16),
                draws.aString(14, 30),
                Population.TODAY.plusDays(draws.between(10, 730)),
                draws.aString(15, 15),
                order.totalCents(),
                order.shipDate(),
                draws.between(1, Scale.COUNTRIES));
    }
}
