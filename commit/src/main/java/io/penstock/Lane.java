package io.penstock;

import io.penstock.commit.queue.ProvisionedQueues;
import io.penstock.commit.queue.PuQueues;
import io.penstock.commit.queue.QueueNames;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.QueueServices;
import io.penstock.core.retry.RetryPolicy;
import io.penstock.core.task.Tasks;
import java.time.Duration;

/**
 * The servers as one part of a client uses them, metered apart: what transactions wait for, and what happens behind
 * their backs. Both share one pool.
 */
record Lane(ObjectStore objects, QueueService queues, PageManager pages, OverflowStore overflows, PuQueues puQueues) {
    /** Where the servers are and how they are used. */
    record Servers(ObjectStore objects, QueueService queues, Tasks tasks) {
        /** The same, where shared queues are not created. */
        Servers provisioned(QueueNames names) {
            return new Servers(objects, new ProvisionedQueues(queues, names), tasks);
        }
    }

    /** @param part the value of the meters' {@code part} tag */
    static Lane of(
            Servers servers, BufferPool pool, QueueNames names, Duration tokenGrace, Settings settings, String part) {
        RequestMeters meters = new RequestMeters(settings.meters(), part);
        RetryPolicy policy = RetryPolicy.STANDARD.within(settings.callBudget());
        Tasks tasks = servers.tasks;
        ObjectStore objects =
                ObjectStores.retrying(ObjectStores.metered(servers.objects, meters, tasks), policy, tasks, meters);
        QueueService queues =
                QueueServices.retrying(QueueServices.metered(servers.queues, meters, tasks), policy, tasks, meters);
        return new Lane(
                objects,
                queues,
                new PageManager(objects, pool, tasks, settings.prefix() + "/"),
                new OverflowStore(objects, tasks, settings.prefix() + "/"),
                new PuQueues(queues, names, tasks, tokenGrace));
    }
}
