package io.penstock.core.queue;

import io.penstock.core.Bytes;
import io.penstock.core.meter.Operation;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.List;

/** Counts and times the requests of a queue. Safe for use by many threads. */
final class MeteredMessageQueue implements MessageQueue {
    private final MessageQueue inner;
    private final RequestMeters meters;
    private final Timekeeper clock;

    MeteredMessageQueue(MessageQueue inner, RequestMeters meters, Timekeeper clock) {
        this.inner = inner;
        this.meters = meters;
        this.clock = clock;
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public List<SendResult> send(List<Bytes> bodies) {
        long bytes = bodies.stream().mapToLong(Bytes::length).sum();
        meters.in(Operation.Service.SQS, bytes);
        meters.billed(Operation.SQS_SEND, bytes);
        return meters.measure(Operation.SQS_SEND, clock, () -> inner.send(bodies));
    }

    @Override
    public List<Delivery> receive(int max, Duration visibility, Duration wait) {
        long bytes = 0;
        try {
            List<Delivery> received =
                    meters.measure(Operation.SQS_RECEIVE, clock, () -> inner.receive(max, visibility, wait));
            bytes = received.stream()
                    .mapToLong(delivery -> delivery.body().length())
                    .sum();
            return received;
        } finally {
            meters.out(Operation.Service.SQS, bytes);
            meters.billed(Operation.SQS_RECEIVE, bytes);
        }
    }

    @Override
    public List<Receipt> delete(List<Receipt> receipts) {
        meters.billed(Operation.SQS_DELETE, 0);
        return meters.measure(Operation.SQS_DELETE, clock, () -> inner.delete(receipts));
    }

    @Override
    public void changeVisibility(Receipt receipt, Duration visibility) {
        meters.billed(Operation.SQS_OTHER, 0);
        meters.measure(Operation.SQS_OTHER, clock, () -> {
            inner.changeVisibility(receipt, visibility);
            return true;
        });
    }

    @Override
    public QueueDepth depth() {
        meters.billed(Operation.SQS_OTHER, 0);
        return meters.measure(Operation.SQS_OTHER, clock, inner::depth);
    }

    @Override
    public QueueConfiguration configuration() {
        meters.billed(Operation.SQS_OTHER, 0);
        return meters.measure(Operation.SQS_OTHER, clock, inner::configuration);
    }
}
