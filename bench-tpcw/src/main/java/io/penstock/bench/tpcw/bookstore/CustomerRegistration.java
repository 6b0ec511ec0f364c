package io.penstock.bench.tpcw.bookstore;

import org.jspecify.annotations.Nullable;

/**
 * The form to sign in or to register. Reads the customer, if the visitor is known.
 *
 * @param customerId null for a visitor who has not signed in
 */
public record CustomerRegistration(@Nullable Long customerId) implements Interaction<CustomerRegistration.Shown> {
    /** @param customer null for a visitor */
    public record Shown(@Nullable Customer customer) implements Interaction.Shown {}

    @Override
    public Shown run(Visit visit) {
        return new Shown(
                customerId == null
                        ? null
                        : visit.tx().get(visit.tables().customers(), customerId).orElse(null));
    }
}
