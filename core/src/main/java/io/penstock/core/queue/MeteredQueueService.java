package io.penstock.core.queue;

import io.penstock.core.meter.Operation;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.task.Timekeeper;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Counts and times the requests of a queue service and of its queues. Safe for use by many threads. */
final class MeteredQueueService implements QueueService {
    private final QueueService inner;
    private final RequestMeters meters;
    private final Timekeeper clock;

    MeteredQueueService(QueueService inner, RequestMeters meters, Timekeeper clock) {
        this.inner = inner;
        this.meters = meters;
        this.clock = clock;
    }

    private <T> T counted(Supplier<T> call) {
        meters.billed(Operation.SQS_OTHER, 0);
        return meters.measure(Operation.SQS_OTHER, clock, call);
    }

    private MessageQueue metered(MessageQueue queue) {
        return new MeteredMessageQueue(queue, meters, clock);
    }

    @Override
    public MessageQueue create(String name, QueueAttributes attributes) {
        return metered(counted(() -> inner.create(name, attributes)));
    }

    @Override
    public Optional<MessageQueue> find(String name) {
        return counted(() -> inner.find(name)).map(this::metered);
    }

    @Override
    public List<String> list(String prefix) {
        return counted(() -> inner.list(prefix));
    }

    @Override
    public void delete(String name) {
        counted(() -> {
            inner.delete(name);
            return true;
        });
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
