package io.penstock.commit.queue;

import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueService;
import java.util.List;
import java.util.Optional;

/**
 * A queue service that requires all shared queues to exist already: the only queue that it creates is a client's own
 * ATOMIC queue. Safe for use by many threads.
 */
public record ProvisionedQueues(QueueService inner, QueueNames names) implements QueueService {
    @Override
    public MessageQueue create(String name, QueueAttributes attributes) {
        if (name.startsWith(names.atomicPrefix())) {
            return inner.create(name, attributes);
        }
        return inner.find(name)
                .orElseThrow(() -> new RefusedException(
                        ErrorCode.QUEUE_NOT_FOUND,
                        "a queue is missing and this client may not create it; create it with Admin.provision",
                        "queue",
                        name));
    }

    @Override
    public Optional<MessageQueue> find(String name) {
        return inner.find(name);
    }

    @Override
    public List<String> list(String prefix) {
        return inner.list(prefix);
    }

    @Override
    public void delete(String name) {
        inner.delete(name);
    }

    @Override
    public QueueLimits limits() {
        return inner.limits();
    }

    @Override
    public void close() {
        inner.close();
    }
}
