package io.penstock.spring;

import io.penstock.Penstock;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/** {@link StoreHealth} for the actuator of Boot 3. Safe for use by many threads. */
final class PenstockHealthIndicatorOfBoot3 extends AbstractHealthIndicator {
    private final Penstock store;

    PenstockHealthIndicatorOfBoot3(Penstock store) {
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
