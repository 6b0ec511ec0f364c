package io.penstock.core.queue.local;

import io.penstock.core.Bytes;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.QueueRules;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import io.penstock.core.queue.table.LiveQueue;
import io.penstock.core.task.Promise;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A queue by its name: like on SQS, an old handle of a queue that was deleted and created again is a handle of the new
 * one.
 *
 * <p>A send is durable when it is acknowledged. A deletion reaches the log with the next write, within a fraction of a
 * second: if a crash loses it, the message is delivered again, as the SPI allows. Safe for use by many threads.
 */
record LocalMessageQueue(String name, LocalQueueService service, QueueLog log, Tasks tasks, long clockStartNanos)
        implements MessageQueue {
    @Override
    public List<SendResult> send(List<Bytes> bodies) {
        QueueRules.checkSend(LocalQueueService.LIMITS, bodies);
        return service.call(() -> {
            Sending sending = new Sending(service.state(name), log, bodies, tasks);
            log.write(sending);
            return sending.results();
        });
    }

    @Override
    public List<Delivery> receive(int max, Duration visibility, Duration wait) {
        QueueRules.checkReceive(LocalQueueService.LIMITS, max, visibility, wait);
        long deadlineNanos = nowNanos() + wait.toNanos();
        while (true) {
            QueueState state = service.call(() -> service.state(name));
            Promise<Boolean> turn = tasks.promise();
            Received received = service.call(() -> receiveNow(state, max, visibility, turn));
            long leftNanos = Math.min(deadlineNanos, received.nextVisibleNanos) - nowNanos();
            if (!received.deliveries.isEmpty() || nowNanos() >= deadlineNanos) {
                state.forget(turn);
                return received.deliveries;
            }
            try {
                turn.awaitFor(Duration.ofNanos(Math.max(leftNanos, 0)));
            } finally {
                state.forget(turn);
            }
        }
    }

    private Received receiveNow(QueueState state, int max, Duration visibility, Promise<Boolean> turn) {
        service.expire(state);
        long now = nowNanos();
        LiveQueue.Taken<HeldMessage> taken =
                state.take(max, now, now + visibility.toNanos(), tasks.random()::nextLong, turn);
        List<Delivery> deliveries = new ArrayList<>();
        for (LiveQueue.Delivered<HeldMessage> delivered : taken.messages()) {
            HeldMessage message = delivered.message();
            Bytes body = log.read(state.id(), message);
            if (body != null) {
                deliveries.add(deliver(message, body, delivered));
            } else if (state.message(message.number()) != null) {
                // Otherwise another receiver, to which it was visible again, has deleted it by now.
                service.setAside(state, message);
            }
        }
        return new Received(deliveries, taken.nextVisibleNanos());
    }

    private static Delivery deliver(HeldMessage message, Bytes body, LiveQueue.Delivered<HeldMessage> delivered) {
        return new Delivery(
                message.messageId(), delivered.receipt(), body, message.sentMillis(), delivered.receiveCount());
    }

    @Override
    public List<Receipt> delete(List<Receipt> receipts) {
        QueueRules.checkBatch(LocalQueueService.LIMITS, receipts.size());
        return service.call(() -> {
            QueueState state = service.state(name);
            List<Receipt> left = new ArrayList<>();
            List<HeldMessage> removed = new ArrayList<>();
            for (Receipt receipt : receipts) {
                if (!state.remove(receipt, removed)) {
                    left.add(receipt);
                }
            }
            service.forget(state, removed);
            return left;
        });
    }

    @Override
    public void changeVisibility(Receipt receipt, Duration visibility) {
        QueueRules.checkVisibility(visibility);
        QueueState state = service.call(() -> service.state(name));
        long now = nowNanos();
        state.changeVisibility(receipt, now, now + visibility.toNanos());
    }

    @Override
    public QueueDepth depth() {
        return service.call(() -> {
            QueueState state = service.state(name);
            service.expire(state);
            return state.depth(nowNanos());
        });
    }

    @Override
    public QueueConfiguration configuration() {
        return service.call(
                () -> QueueConfiguration.standard(service.state(name).retention(), LocalQueueService.LIMITS));
    }

    /** The queues' clock: nanoseconds since the service was opened, so that readings compare plainly. */
    private long nowNanos() {
        return tasks.nanoTime() - clockStartNanos;
    }

    private record Received(List<Delivery> deliveries, long nextVisibleNanos) {}

    /** Messages on their way to the log: there for receivers as soon as they are durable. */
    private static final class Sending extends LogWrite {
        private final QueueState queue;
        private final QueueLog log;
        private final List<LogEntry> messages = new ArrayList<>();

        Sending(QueueState queue, QueueLog log, List<Bytes> bodies, Tasks tasks) {
            this.queue = queue;
            this.log = log;
            long sentMillis = tasks.nowMillis();
            long number = queue.drawNumbers(bodies.size());
            for (Bytes body : bodies) {
                messages.add(LogEntry.message(
                        queue.id(), number++, sentMillis, tasks.random().nextLong(), body));
            }
        }

        @Override
        List<LogEntry> entries() {
            // A message after its queue's deletion would be one of an unknown queue.
            queue.checkTakesMessages();
            return messages;
        }

        @Override
        void written(List<Place> places) {
            List<HeldMessage> sent = new ArrayList<>();
            for (int i = 0; i < messages.size(); i++) {
                LogEntry entry = messages.get(i);
                Place place = places.get(i);
                log.needs(place, entry.bytes());
                sent.add(new HeldMessage(
                        entry.number(),
                        entry.id(),
                        entry.sentMillis(),
                        entry.body().length(),
                        place));
            }
            queue.add(sent);
        }

        List<SendResult> results() {
            return messages.stream()
                    .<SendResult>map(entry -> new SendResult.Sent(HeldMessage.messageId(entry.id())))
                    .toList();
        }
    }
}
