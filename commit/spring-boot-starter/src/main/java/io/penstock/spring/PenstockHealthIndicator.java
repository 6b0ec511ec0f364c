package io.penstock.spring;

import io.penstock.Penstock;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** {@link StoreHealth} for the actuator of Boot 4. Safe for use by many threads. */
final class PenstockHealthIndicator extends AbstractHealthIndicator {
    private final Penstock store;

    PenstockHealthIndicator(Penstock store) {
        super("the health of the store cannot be told");
        this.store = store;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        StoreHealth found = StoreHealth.of(store);
        if (found.failure() == null) {
            health.up();
        } else {
            health.down(found.failure());
        }
        health.withDetails(found.details());
    }
}
