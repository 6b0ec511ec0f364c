package io.penstock.commit.protocol;

import io.penstock.commit.client.Heartbeat;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.queue.PuQueues;
import io.penstock.core.ClientId;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.task.SingleFlight;
import io.penstock.core.task.Tasks;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends log records that checkpoints must apply in order. Begins a heartbeat before its first record; after a send
 * that failed for good it goes on under a new one, so that no living client has a hole in its numbers. Safe for use by
 * many threads.
 */
public final class OrderedSenders {
    private final Tasks tasks;
    private final Heartbeat heartbeat;
    private final ClientId firstId;
    private final PuQueues queues;
    private final QueueLimits limits;
    private final SendPolicy policy;
    private final Consumer<PuQueueId> sent;
    private final SingleFlight<ClientId, PuSenders> renewals;
    private volatile @Nullable PuSenders current;

    public OrderedSenders(
            Tasks tasks,
            Heartbeat heartbeat,
            ClientId firstId,
            PuQueues queues,
            QueueLimits limits,
            SendPolicy policy,
            Consumer<PuQueueId> sent) {
        this.tasks = tasks;
        this.heartbeat = heartbeat;
        this.firstId = firstId;
        this.queues = queues;
        this.limits = limits;
        this.policy = policy;
        this.sent = sent;
        this.renewals = new SingleFlight<>(tasks);
    }

    List<Position> send(Router router, List<LogRecord> records) {
        return senders().send(router, records);
    }

    /** What callers wait for, over all queues. */
    public long waitingBytes() {
        PuSenders senders = current;
        return senders == null ? 0 : senders.waitingBytes();
    }

    private PuSenders senders() {
        PuSenders senders = current;
        if (senders != null && !senders.isBroken()) {
            return senders;
        }
        return renewals.call(senders == null ? firstId : senders.client(), this::renewed);
    }

    private PuSenders renewed() {
        PuSenders old = current;
        if (old != null && !old.isBroken()) {
            return old;
        }
        ClientId next = old == null ? firstId : new ClientId(tasks.random().nextLong());
        heartbeat.begin(next);
        PuSenders fresh = new PuSenders(tasks, queues, limits, policy, next, true, sent);
        current = fresh;
        if (old != null) {
            heartbeat.end(old.client());
        }
        return fresh;
    }
}
