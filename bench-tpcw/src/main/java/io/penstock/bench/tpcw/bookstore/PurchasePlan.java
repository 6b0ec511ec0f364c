package io.penstock.bench.tpcw.bookstore;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * The plan of one run of the paper's transaction, drawn beforehand, so that a retry does the same.
 *
 * <p>Customers and items are drawn uniformly: the paper has "random products". The standard's own browsers draw them by
 * its non-uniform NURand (clause 2.1); they are not what the paper measured.
 *
 * @param orderId of the order that it makes; no other plan of the run has it
 * @param customerId the customer to read
 * @param itemIds six different items to search; the first {@link #ORDERED} are ordered
 * @param quantities the number of copies of each ordered item
 * @param shipType the way in which the order is shipped
 * @param comments one for each order line
 */
public record PurchasePlan(
        long orderId,
        long customerId,
        List<Long> itemIds,
        List<Integer> quantities,
        String shipType,
        List<String> comments) {
    /** The number of products searched. */
    public static final int SEARCHED = 6;

    /** The number of products ordered. */
    public static final int ORDERED = 3;

    private static final int QUANTITY_MAX = 5;

    /**
     * The {@code number}th plan (from 0) of client {@code client} (from 0) of {@code clients}. Order ids go round among
     * the clients, as if one counter gave them out, so that orders of all clients land on the same pages.
     */
    public static PurchasePlan draw(Population population, int client, int clients, long number) {
        Scale scale = population.scale();
        Draws draws = Draws.of(population.seed(), "purchases of client " + client, number);
        List<Long> items = different(() -> draws.between(1, scale.items()));
        List<Integer> quantities = new ArrayList<>(ORDERED);
        List<String> comments = new ArrayList<>(ORDERED);
        for (int i = 0; i < ORDERED; i++) {
            quantities.add(draws.between(1, QUANTITY_MAX));
            comments.add(draws.aString(20, 100));
        }
        return new PurchasePlan(
                scale.orders() + 1 + number * clients + client,
                draws.between(1, scale.customers()),
                items,
                List.copyOf(quantities),
                draws.pick(Population.SHIP_TYPES),
                List.copyOf(comments));
    }

    /** Draws items until there are enough, each once. */
    public static List<Long> different(LongSupplier item) {
        return LongStream.generate(item).distinct().limit(SEARCHED).boxed().toList();
    }

    /** Returns this plan with other items. */
    public PurchasePlan with(List<Long> newItemIds) {
        return new PurchasePlan(orderId, customerId, newItemIds, quantities, shipType, comments);
    }
}
