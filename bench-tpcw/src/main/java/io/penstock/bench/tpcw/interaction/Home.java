package io.penstock.bench.tpcw.interaction;

import io.penstock.bench.tpcw.bookstore.Customer;
import io.penstock.bench.tpcw.bookstore.Item;
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
    public InteractionKind kind() {
        return InteractionKind.HOME;
    }

    @Override
    public Shown run(Visit visit) {
        Customer customer = customerId == null
                ? null
                : visit.tx().get(visit.tables().customers(), customerId).orElse(null);
        return new Shown(customer, visit.promotions(itemId));
    }
}
