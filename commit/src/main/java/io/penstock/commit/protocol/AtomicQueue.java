package io.penstock.commit.protocol;

import io.penstock.commit.client.Heartbeat;
import io.penstock.commit.queue.HealingQueue;
import io.penstock.commit.queue.QueueNames;
import io.penstock.core.ClientId;
import io.penstock.core.RefusedException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueService;
import org.jspecify.annotations.Nullable;

/**
 * The ATOMIC queue of one client. It is created on first use, after the client's first heartbeat, so that every ATOMIC
 * queue has a registered owner and recovery need not search for others. Safe for use by many threads.
 */
public final class AtomicQueue {
    private final QueueService service;
    private final QueueNames names;
    private final ClientId owner;
    private final Heartbeat heartbeat;
    private volatile @Nullable MessageQueue queue;

    public AtomicQueue(QueueService service, QueueNames names, ClientId owner, Heartbeat heartbeat) {
        this.service = service;
        this.names = names;
        this.owner = owner;
        this.heartbeat = heartbeat;
    }

    MessageQueue open() {
        MessageQueue known = queue;
        if (known == null) {
            known = new HealingQueue(this::create);
            queue = known;
        }
        return known;
    }

    /** The queue that another part of this client has created; a refusal tells when it was deleted since. */
    MessageQueue openExisting() {
        MessageQueue known = queue;
        if (known == null) {
            known = new HealingQueue(this::find);
            queue = known;
        }
        return known;
    }

    private MessageQueue find() {
        String name = names.atomic(owner);
        return service.find(name)
                .orElseThrow(() -> RefusedException.gone("there is no such queue; it was deleted", "queue", name));
    }

    private MessageQueue create() {
        heartbeat.begin(owner);
        return service.create(names.atomic(owner), QueueAttributes.STANDARD);
    }

    /** Removes the queue. Call it only when the queue is empty and nothing will be sent any more. */
    public void remove() {
        service.delete(names.atomic(owner));
    }
}
