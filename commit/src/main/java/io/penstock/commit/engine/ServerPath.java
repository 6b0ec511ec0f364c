package io.penstock.commit.engine;

import io.penstock.commit.queue.PuQueues;
import io.penstock.commit.queue.QueueInspection;
import io.penstock.commit.queue.QueueNames;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.meter.Observations;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.pool.PageNames;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.QueueServices;
import io.penstock.core.retry.RetryPolicy;
import io.penstock.core.task.Tasks;
import java.time.Duration;

/**
 * The servers as one part of a client uses them, metered apart: the calls that transactions wait for, or those in the
 * background. Safe for use by many threads.
 */
public record ServerPath(
        ObjectStore objects,
        QueueService queues,
        QueueNames names,
        PageManager pages,
        OverflowStore overflows,
        PuQueues puQueues) {
    /** An object store whose calls are metered and retried. */
    static ObjectStore reliable(ObjectStore objects, Tasks tasks, StoreSettings settings, String part) {
        RequestMeters meters = new RequestMeters(settings.calls().meters(), part);
        return ObjectStores.retrying(objects, retries(settings), tasks, meters);
    }

    private static RetryPolicy retries(StoreSettings settings) {
        return RetryPolicy.STANDARD.within(settings.calls().budget());
    }

    /** @param part the value of the meters' {@code part} tag */
    static ServerPath of(
            Services services,
            BufferPool pool,
            StoreSettings settings,
            QueueNames names,
            QueueInspection inspection,
            Observations observations,
            String part) {
        RequestMeters meters = new RequestMeters(settings.calls().meters(), part);
        RetryPolicy policy = retries(settings);
        Tasks tasks = services.tasks();
        String prefix = settings.prefix() + "/";
        ObjectStore objects = ObjectStores.observed(
                services.objects(), policy, tasks, meters, observations, key -> PageNames.at(prefix, key));
        QueueService queues = services.queues(bare -> QueueServices.retrying(bare, policy, tasks, meters));
        Duration lease = settings.limits().lease();
        Duration tokenGrace = services.exclusive() ? Duration.ZERO : lease.multipliedBy(2);
        return new ServerPath(
                objects,
                queues,
                names,
                new PageManager(objects, pool, tasks, prefix),
                new OverflowStore(objects, tasks, prefix),
                new PuQueues(queues, names, tasks, tokenGrace, inspection));
    }
}
