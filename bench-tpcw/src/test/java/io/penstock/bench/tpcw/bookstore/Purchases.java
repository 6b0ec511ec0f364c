package io.penstock.bench.tpcw.bookstore;

import java.util.List;

/** Purchases without a store, for tests. */
public final class Purchases {
    private Purchases() {}

    /** The writes of the first customer of a fresh bookstore by {@code plan}. */
    public static Purchase of(Population population, PurchasePlan plan) {
        List<Item> items = plan.itemIds().stream().map(population::item).toList();
        return Purchase.compose(population.customer(plan.customerId()), items, plan);
    }
}
