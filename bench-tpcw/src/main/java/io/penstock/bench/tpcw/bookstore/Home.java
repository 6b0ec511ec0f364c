package io.penstock.bench.tpcw.bookstore;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shop's front page. Reads the customer, one item and the five related to it.
 *
 * @param customerId null for a visitor who has not signed in
 * @param itemId the item whose related items are promoted
 */
public record Home(@Nullable Long customerId, long itemId) implements Interaction<Home.Shown> {
    /** @param customer null for a visitor */
    public record Shown(@Nullable Customer customer, List<Item> items) implements Interaction.Shown {}

    @Override
    public Shown run(Visit visit) {
        Customer customer = new CustomerRegistration(customerId).run(visit).customer();
        return new Shown(customer, visit.promotions(itemId));
    }
}
