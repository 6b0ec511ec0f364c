package io.penstock.core.queue.memory;

import io.penstock.core.RefusedException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueRules;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Tasks;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Queues in the memory of this process: messages come in the order they were sent, once for each time-out. They are
 * gone when nobody refers to this. Closing it does nothing: any number of clients share it. Safe for use by many
 * threads.
 */
public final class MemoryQueueService implements QueueService {
    static final QueueLimits LIMITS = new QueueLimits(10, 1 << 20, 1 << 20);

    private final Tasks tasks;
    private final ConcurrentSkipListMap<String, MemoryMessages> queues = new ConcurrentSkipListMap<>();

    public MemoryQueueService(Tasks tasks) {
        this.tasks = tasks;
    }

    @Override
    public MessageQueue create(String name, QueueAttributes attributes) {
        QueueRules.checkName(name);
        QueueRules.checkAttributes(attributes);
        queues.computeIfAbsent(name, key -> new MemoryMessages(name, attributes.retention()));
        return new MemoryMessageQueue(name, this, tasks);
    }

    @Override
    public Optional<MessageQueue> find(String name) {
        QueueRules.checkName(name);
        return queues.containsKey(name) ? Optional.of(new MemoryMessageQueue(name, this, tasks)) : Optional.empty();
    }

    @Override
    public List<String> list(String prefix) {
        return queues.keySet().stream().filter(name -> name.startsWith(prefix)).toList();
    }

    @Override
    public void delete(String name) {
        QueueRules.checkName(name);
        MemoryMessages removed = queues.remove(name);
        if (removed != null) {
            removed.end();
        }
    }

    @Override
    public QueueLimits limits() {
        return LIMITS;
    }

    /** The messages of the queue of this name. */
    MemoryMessages messages(String name) {
        MemoryMessages known = queues.get(name);
        if (known == null) {
            throw missing(name);
        }
        return known;
    }

    static RefusedException missing(String name) {
        return RefusedException.gone("there is no such queue; it was deleted", "queue", name);
    }

    @Override
    public void close() {}
}
