package io.penstock.commit.engine;

import io.penstock.commit.queue.NoQueues;
import io.penstock.commit.queue.ProvisionedQueues;
import io.penstock.commit.queue.QueueNames;
import io.penstock.commit.settings.Servers;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * The servers of a store, and the tasks of this process that call them.
 *
 * @param sharing the other processes that can reach these servers
 */
public record Services(ObjectStore objects, QueueService queues, Tasks tasks, Servers.Sharing sharing) {
    /**
     * The age at which a client is dead where no other client can exist: then every other one died before now, whatever
     * the clocks say.
     */
    private static final Duration DEAD_AT_ONCE = Duration.ofDays(-36_500);

    /** Whether no other client can reach these servers, so that all clients of the past are dead. */
    public boolean exclusive() {
        return sharing == Servers.Sharing.NOBODY;
    }

    /** Whether the store has queues. */
    public boolean queued() {
        return queues != NoQueues.INSTANCE;
    }

    /** The queue service below a layer that counts or repeats its requests; a store without queues makes none. */
    public QueueService queues(UnaryOperator<QueueService> layer) {
        return queued() ? layer.apply(queues) : queues;
    }

    /** Returns these services without the right to create shared queues. */
    Services provisioned(QueueNames names) {
        return queued() ? new Services(objects, new ProvisionedQueues(queues, names), tasks, sharing) : this;
    }

    /** The wait of a poll. A poll that waits asks all servers; where there is only one, none has to wait. */
    Duration pollWait() {
        return sharing == Servers.Sharing.ANYBODY ? Duration.ofSeconds(1) : Duration.ZERO;
    }

    /** The age of a heartbeat after which its client is dead. */
    Duration deadAfter(Duration chosen) {
        return exclusive() ? DEAD_AT_ONCE : chosen;
    }
}
