package io.penstock.commit.queue;

import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueService;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The intake queues of a store's domains, each made when it is first used. Safe for use by many threads. */
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
            queue = queues.create(names.intake(domain), QueueAttributes.STANDARD);
            known.put(domain, queue);
        }
        return queue;
    }
}
