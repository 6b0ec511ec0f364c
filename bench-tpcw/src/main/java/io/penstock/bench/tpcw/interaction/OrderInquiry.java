package io.penstock.bench.tpcw.interaction;

import io.penstock.bench.tpcw.bookstore.Customer;
import org.jspecify.annotations.Nullable;

/**
 * The form to ask for one's last order. Reads the customer, if the visitor is known.
 *
 * @param customerId null for a visitor who has not signed in
 */
public record OrderInquiry(@Nullable Long customerId) implements Interaction<OrderInquiry.Shown> {
    /** @param customer null for a visitor */
    public record Shown(@Nullable Customer customer) implements Interaction.Shown {}

    @Override
    public InteractionKind kind() {
        return InteractionKind.ORDER_INQUIRY;
    }

    @Override
    public Shown run(Visit visit) {
        return new Shown(new CustomerRegistration(customerId).run(visit).customer());
    }
}
