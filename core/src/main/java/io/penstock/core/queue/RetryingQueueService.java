package io.penstock.core.queue;

import io.penstock.core.meter.Operation;
import io.penstock.core.retry.Retries;
import io.penstock.core.retry.Retries.Repeat;
import java.util.List;
import java.util.Optional;

/** Repeats calls of a queue service and of its queues that failed for the moment. Safe for use by many threads. */
final class RetryingQueueService implements QueueService {
    private final QueueService inner;
    private final Retries retries;

    RetryingQueueService(QueueService inner, Retries retries) {
        this.inner = inner;
        this.retries = retries;
    }

    private MessageQueue retrying(MessageQueue queue) {
        return new RetryingMessageQueue(queue, retries);
    }

    @Override
    public MessageQueue create(String name, QueueAttributes attributes) {
        return retrying(retries.call(Operation.SQS_OTHER, Repeat.ALSO_UNKNOWN, () -> inner.create(name, attributes)));
    }

    @Override
    public Optional<MessageQueue> find(String name) {
        return retries.call(Operation.SQS_OTHER, Repeat.ALSO_UNKNOWN, () -> inner.find(name))
                .map(this::retrying);
    }

    @Override
    public List<String> list(String prefix) {
        return retries.call(Operation.SQS_OTHER, Repeat.ALSO_UNKNOWN, () -> inner.list(prefix));
    }

    @Override
    public void delete(String name) {
        retries.run(Operation.SQS_OTHER, () -> inner.delete(name));
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
