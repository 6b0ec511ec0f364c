package io.penstock.core.queue.memory;

import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueRules;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.table.LiveQueue;
import io.penstock.core.task.Tasks;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Queues in the memory of this process: messages come in the order they were sent, once for each time-out. They are
 * gone when nothing refers to this. Closing it does nothing: any number of clients share it. Safe for use by many
 * threads.
 */
public final class MemoryQueueService implements QueueService {
    static final QueueLimits LIMITS = new QueueLimits(10, 1 << 20, 1 << 20);

    private final Tasks tasks;
    private final long clockStartNanos;
    private final AtomicLong deliveries = new AtomicLong();
    private final ConcurrentSkipListMap<String, MemoryQueue> queues = new ConcurrentSkipListMap<>();

    public MemoryQueueService(Tasks tasks) {
        this.tasks = tasks;
        this.clockStartNanos = tasks.nanoTime();
    }

    @Override
    public MessageQueue create(String name, QueueAttributes attributes) {
        QueueRules.checkName(name);
        QueueRules.checkAttributes(attributes);
        queues.computeIfAbsent(name, key -> new MemoryQueue(name, attributes.retention()));
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
        MemoryQueue removed = queues.remove(name);
        if (removed != null) {
            removed.markDeleted();
        }
    }

    @Override
    public QueueLimits limits() {
        return LIMITS;
    }

    /** The queue of this name. */
    MemoryQueue queue(String name) {
        MemoryQueue known = queues.get(name);
        if (known == null) {
            throw LiveQueue.missing(name);
        }
        return known;
    }

    /** Names a delivery, among all of this service. */
    long drawToken() {
        return deliveries.incrementAndGet();
    }

    /** The queues' clock: nanoseconds since the service was made, so that readings compare plainly. */
    long nowNanos() {
        return tasks.nanoTime() - clockStartNanos;
    }

    @Override
    public void close() {}
}
