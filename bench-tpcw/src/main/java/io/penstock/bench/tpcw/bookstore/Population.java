package io.penstock.bench.tpcw.bookstore;

import java.time.LocalDate;
import java.util.List;

/**
 * The rows a bookstore starts with: a pure function of a seed and a scale, each row on its own. Ids begin at 1. Safe
 * for use by many threads.
 */
public class Population {
    /** The day the population is made for: fixed, so that it does not depend on when that happens. */
    public static final LocalDate TODAY = LocalDate.of(2026, 1, 1);

    /** The subjects of items. */
    public static final List<String> SUBJECTS = CatalogueRows.SUBJECTS;

    /** The ways an order travels. */
    public static final List<String> SHIP_TYPES = OrderRows.SHIP_TYPES;

    /** The kinds of credit cards. */
    public static final List<String> CARDS = OrderRows.CARDS;

    private final long seed;
    private final Scale scale;
    private final CatalogueRows catalogue;
    private final CustomerRows customers;
    private final OrderRows orders;

    public Population(long seed, Scale scale) {
        this.seed = seed;
        this.scale = scale;
        this.catalogue = new CatalogueRows(seed, scale);
        this.customers = new CustomerRows(seed, scale);
        this.orders = new OrderRows(seed, scale);
    }

    public long seed() {
        return seed;
    }

    public Scale scale() {
        return scale;
    }

    public Country country(long id) {
        return Countries.ALL.get((int) id - 1);
    }

    public Author author(long id) {
        return catalogue.author(id);
    }

    public Item item(long id) {
        return catalogue.item(id);
    }

    public Address address(long id) {
        return customers.address(id);
    }

    public Customer customer(long id) {
        return customers.customer(id);
    }

    public Order order(long id) {
        return orders.order(id);
    }

    /** Returns the lines of an order, 1 to 5. */
    public List<OrderLine> orderLines(long orderId) {
        return orders.orderLines(orderId);
    }

    public CardPayment cardPayment(long orderId) {
        return orders.cardPayment(orderId);
    }

    /** The number of rows of ORDER_LINE: the only table whose size is drawn. */
    public long orderLineRows() {
        long rows = 0;
        for (long order = 1; order <= scale.orders(); order++) {
            rows += orders.lines(order);
        }
        return rows;
    }

    /** All rows of all tables. */
    public long rows() {
        return Scale.COUNTRIES
                + scale.authors()
                + scale.items()
                + scale.addresses()
                + scale.customers()
                + 2 * scale.orders()
                + orderLineRows();
    }
}
