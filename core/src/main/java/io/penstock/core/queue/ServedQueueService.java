package io.penstock.core.queue;

import io.penstock.core.Bytes;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.meter.Operation;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.retry.Backoff;
import io.penstock.core.retry.Retries;
import io.penstock.core.retry.Retries.Repeat;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A queue service whose requests, and those of its queues, are counted and timed, attempt by attempt, and repeated when
 * they failed for the moment. Safe for use by many threads.
 */
record ServedQueueService(QueueService inner, Retries retries, RequestMeters meters, Timekeeper clock)
        implements QueueService {
    private <T> T call(Operation operation, Supplier<T> request) {
        return retries.call(operation, Repeat.ALSO_UNKNOWN, () -> {
            meters.billed(operation, 0);
            return meters.measure(operation, clock, request);
        });
    }

    private void run(Runnable request) {
        call(Operation.SQS_OTHER, () -> {
            request.run();
            return true;
        });
    }

    @Override
    public MessageQueue create(String name, QueueAttributes attributes) {
        return new Queue(call(Operation.SQS_OTHER, () -> inner.create(name, attributes)));
    }

    @Override
    public Optional<MessageQueue> find(String name) {
        return call(Operation.SQS_OTHER, () -> inner.find(name)).map(Queue::new);
    }

    @Override
    public List<String> list(String prefix) {
        return call(Operation.SQS_OTHER, () -> inner.list(prefix));
    }

    @Override
    public void delete(String name) {
        run(() -> inner.delete(name));
    }

    @Override
    public QueueLimits limits() {
        return inner.limits();
    }

    @Override
    public void close() {
        inner.close();
    }

    /** One queue of the service. */
    private final class Queue implements MessageQueue {
        private final MessageQueue queue;

        Queue(MessageQueue queue) {
            this.queue = queue;
        }

        @Override
        public String name() {
            return queue.name();
        }

        @Override
        public List<SendResult> send(List<Bytes> bodies) {
            Resend resend = new Resend(bodies);
            Backoff backoff = retries.begin();
            do {
                try {
                    resend.answered(sendOnce(resend.unsent()));
                } catch (OutcomeUnknownException failure) {
                    resend.lost(failure);
                } catch (StoreException failure) {
                    resend.failed(failure);
                    if (!Retries.isForTheMoment(failure)) {
                        break;
                    }
                }
            } while (!resend.isDone() && retries.again(backoff, Operation.SQS_SEND));
            return resend.results();
        }

        private List<SendResult> sendOnce(List<Bytes> bodies) {
            long bytes = bodies.stream().mapToLong(Bytes::length).sum();
            meters.in(Operation.Service.SQS, bytes);
            meters.billed(Operation.SQS_SEND, bytes);
            return meters.measure(Operation.SQS_SEND, clock, () -> queue.send(bodies));
        }

        /** A lost answer leaves its messages hidden until their visibility ends; they are not lost. */
        @Override
        public List<Delivery> receive(int max, Duration visibility, Duration wait) {
            return retries.call(Operation.SQS_RECEIVE, Repeat.ALSO_UNKNOWN, () -> receiveOnce(max, visibility, wait));
        }

        private List<Delivery> receiveOnce(int max, Duration visibility, Duration wait) {
            long bytes = 0;
            try {
                List<Delivery> received =
                        meters.measure(Operation.SQS_RECEIVE, clock, () -> queue.receive(max, visibility, wait));
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
            return call(Operation.SQS_DELETE, () -> queue.delete(receipts));
        }

        @Override
        public void changeVisibility(Receipt receipt, Duration visibility) {
            run(() -> queue.changeVisibility(receipt, visibility));
        }

        @Override
        public QueueDepth depth() {
            return call(Operation.SQS_OTHER, queue::depth);
        }

        @Override
        public QueueConfiguration configuration() {
            return call(Operation.SQS_OTHER, queue::configuration);
        }
    }
}
