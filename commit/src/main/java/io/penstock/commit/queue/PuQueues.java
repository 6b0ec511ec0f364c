package io.penstock.commit.queue;

import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The PU queues of a store and their lock queues, as one metered part of a client sees them. It creates missing queues
 * on first use. Safe for use by many threads.
 */
public final class PuQueues {
    private static final Logger LOG = LoggerFactory.getLogger(PuQueues.class);

    private final QueueService service;
    private final QueueNames names;
    private final Timekeeper time;
    private final Duration tokenGrace;
    private final QueueInspection inspection;
    private final Map<PuQueueId, MessageQueue> queues = new ConcurrentHashMap<>();
    private final Map<PuQueueId, LockQueue> locks = new ConcurrentHashMap<>();
    private volatile Function<PuQueueId, Runnable> whenMissing = queue -> () -> {};

    /** The names of other stores' queues, each of which is logged once. */
    private final Set<String> foreign = ConcurrentHashMap.newKeySet();

    /**
     * @param tokenGrace the time for which a lock token may be unseen before it is checked whether it is lost
     * @param inspection of the queues that are found, shared by the parts of a client
     */
    public PuQueues(
            QueueService service, QueueNames names, Timekeeper time, Duration tokenGrace, QueueInspection inspection) {
        this.service = service;
        this.names = names;
        this.time = time;
        this.tokenGrace = tokenGrace;
        this.inspection = inspection;
    }

    /**
     * @param listener is asked before each look for a queue; its answer is run if the queue is not there: it was never
     *     made, or was deleted with what was in it
     */
    public void whenMissing(Function<PuQueueId, Runnable> listener) {
        whenMissing = listener;
    }

    /** Returns the queue. If it does not exist, it is created with its lock queue and token. */
    public MessageQueue open(PuQueueId id) {
        MessageQueue known = queues.get(id);
        if (known != null) {
            return known;
        }
        MessageQueue queue = new HealingQueue(() -> findOrCreate(id), refusal -> {
            inspection.forget(names.pu(id));
            if (refusal.isGone()) {
                whenMissing.apply(id).run();
            }
        });
        queues.put(id, queue);
        return queue;
    }

    private MessageQueue findOrCreate(PuQueueId id) {
        Runnable missing = whenMissing.apply(id); // before the look: another may make the queue meanwhile, and send
        return service.find(names.pu(id)).orElseGet(() -> {
            missing.run();
            // The lock queue first, so that every PU queue that exists has one.
            lock(id);
            MessageQueue fresh = service.create(names.pu(id), QueueAttributes.STANDARD);
            inspection.made(fresh.name());
            return fresh;
        });
    }

    /**
     * Checks, once, that the queue may take messages. What is in it is applied whatever its configuration.
     *
     * @throws io.penstock.core.RefusedException when others made it, and it would lose messages
     */
    public void requireSound(PuQueueId id) {
        inspection.require(open(id));
    }

    /** The limits of a send to the queue, as far as they are known. Makes no request. */
    public QueueLimits limits(PuQueueId id) {
        return inspection.limits(names.pu(id));
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
        MessageQueue queue = new HealingQueue(() -> findOrCreateLock(names.lock(id)));
        LockQueue lock = new LockQueue(queue, time, service.limits().batchEntries(), tokenGrace);
        locks.put(id, lock);
        return lock;
    }

    private MessageQueue findOrCreateLock(String name) {
        Optional<MessageQueue> found = service.find(name);
        found.ifPresent(inspection::tell);
        return found.orElseGet(() -> {
            MessageQueue fresh = service.create(name, QueueAttributes.STANDARD);
            LockQueue.mint(fresh);
            return fresh;
        });
    }

    /** All PU queues of the store that the service lists; what only begins like their names is left alone. */
    public List<PuQueueId> list() {
        List<PuQueueId> ours = new ArrayList<>();
        for (String name : service.list(names.puPrefix())) {
            Optional<PuQueueId> queue = names.puQueue(name);
            if (queue.isPresent()) {
                ours.add(queue.get());
            } else if (foreign.add(name)) {
                LOG.debug("a queue with a like name is none of this store and is left alone queue={}", name);
            }
        }
        return ours;
    }
}
