package io.penstock.commit.queue;

import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueService;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The intake queues of a store's domains, each found or made when it is first used, and again when it was deleted. Safe
 * for use by many threads.
 */
public final class IntakeQueues {
    private final QueueService queues;
    private final QueueNames names;
    private final Map<String, MessageQueue> known = new ConcurrentHashMap<>();

    public IntakeQueues(QueueService queues, QueueNames names) {
        this.queues = queues;
        this.names = names;
    }

    public MessageQueue of(String domain) {
        MessageQueue queue = known.get(domain);
        if (queue == null) {
            queue = new HealingQueue(() -> open(domain));
            known.put(domain, queue);
        }
        return queue;
    }

    private MessageQueue open(String domain) {
        String name = names.intake(domain);
        return queues.find(name).orElseGet(() -> queues.create(name, QueueAttributes.STANDARD));
    }
}
