package io.penstock.commit.queue;

import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The PU queues of a store and their lock queues, as one metered part of a client sees them. It creates missing queues
 * on first use. Safe for use by many threads.
 */
public final class PuQueues {
    private final QueueService service;
    private final QueueNames names;
    private final Timekeeper time;
    private final Duration tokenGrace;
    private final Map<PuQueueId, MessageQueue> queues = new ConcurrentHashMap<>();
    private final Map<PuQueueId, LockQueue> locks = new ConcurrentHashMap<>();

    /** @param tokenGrace the time for which a lock token may be unseen before it is checked whether it is lost */
    public PuQueues(QueueService service, QueueNames names, Timekeeper time, Duration tokenGrace) {
        this.service = service;
        this.names = names;
        this.time = time;
        this.tokenGrace = tokenGrace;
    }

    /** Returns the queue. If it does not exist, it is created with its lock queue and token. */
    public MessageQueue open(PuQueueId id) {
        MessageQueue known = queues.get(id);
        if (known != null) {
            return known;
        }
        Optional<MessageQueue> found = service.find(names.pu(id));
        MessageQueue queue = found.orElseGet(() -> {
            // The lock queue first, so that every PU queue that exists has one.
            lock(id);
            return service.create(names.pu(id), QueueAttributes.STANDARD);
        });
        queues.put(id, queue);
        return queue;
    }

    /**
     * Returns the lock queue. If it does not exist, it is created with a token. Two clients that create it at once may
     * leave two tokens, which is harmless.
     */
    public LockQueue lock(PuQueueId id) {
        LockQueue known = locks.get(id);
        if (known != null) {
            return known;
        }
        String name = names.lock(id);
        Optional<MessageQueue> found = service.find(name);
        MessageQueue queue = found.orElseGet(() -> service.create(name, QueueAttributes.STANDARD));
        LockQueue lock = new LockQueue(queue, time, service.limits().batchEntries(), tokenGrace);
        if (found.isEmpty()) {
            lock.mint();
        }
        locks.put(id, lock);
        return lock;
    }

    /** All PU queues of the store that the service lists. */
    public List<PuQueueId> list() {
        return service.list(names.puPrefix()).stream().map(names::puQueue).toList();
    }
}
