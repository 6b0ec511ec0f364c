package io.penstock.commit.engine;

import io.penstock.commit.client.StoreIdentity;
import io.penstock.commit.queue.QueueInspection;
import io.penstock.commit.queue.QueueNames;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.meter.Observations;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PoolSettings;

/** The two lanes of one client, and the pool of pages that they share. */
record Lanes(BufferPool pool, Lane foreground, Lane background) {
    static Lanes of(Services services, StoreSettings settings, StoreIdentity store, Observations observations) {
        BufferPool pool = new BufferPool(
                new PoolSettings(
                        settings.paging().poolBytes(), settings.limits().ttl()),
                settings.paging().tier().apply(services.tasks()));
        QueueNames names = new QueueNames(store);
        Services allowed = settings.client().mayCreate() ? services : services.provisioned(names);
        QueueInspection inspection = new QueueInspection(services.queues().limits(), services.tasks());
        return new Lanes(
                pool,
                Lane.of(allowed, pool, settings, names, inspection, observations, "transaction"),
                Lane.of(allowed, pool, settings, names, inspection, observations, "checkpoint"));
    }
}
