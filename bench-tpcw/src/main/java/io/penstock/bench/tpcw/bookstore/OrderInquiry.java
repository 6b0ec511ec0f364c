package io.penstock.bench.tpcw.bookstore;

import org.jspecify.annotations.Nullable;

/**
 * The form to ask for one's last order. Reads the customer, if the visitor is known.
 *
 * @param customerId null for a visitor who has not signed in
 */
public record OrderInquiry(@Nullable Long customerId) implements Interaction<CustomerRegistration.Shown> {
    @Override
    public CustomerRegistration.Shown run(Visit visit) {
        return new CustomerRegistration(customerId).run(visit);
    }
}
