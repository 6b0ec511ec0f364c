package io.penstock.core.queue.local;

import io.penstock.core.Bytes;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.QueueRules;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import io.penstock.core.task.Promise;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue by its name: like on SQS, an old handle of a queue that was deleted and created again is a handle of the new
 * one.
 *
 * <p>A send is durable when it is acknowledged. A deletion reaches the file with the next commit, within a fraction of
 * a second: if a crash loses it, the message is delivered again, as the SPI allows. Safe for use by many threads.
 */
final class LocalMessageQueue implements MessageQueue {
    private final String name;
    private final LocalQueueService service;
    private final QueueFile file;
    private final Tasks tasks;
    private final long clockStartNanos;

    LocalMessageQueue(String name, LocalQueueService service, QueueFile file, Tasks tasks, long clockStartNanos) {
        this.name = name;
        this.service = service;
        this.file = file;
        this.tasks = tasks;
        this.clockStartNanos = clockStartNanos;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<SendResult> send(List<Bytes> bodies) {
        QueueRules.checkSend(LocalQueueService.LIMITS, bodies);
        try {
            return file.call(() -> sendNow(service.state(name), bodies));
        } catch (RefusedException gone) {
            throw gone;
        } catch (UnavailableException e) {
            // The write may have begun: the file failed in the middle, or the caller's thread was interrupted.
            throw new OutcomeUnknownException("a send was interrupted; repeat it", e, "queue", name);
        }
    }

    private List<SendResult> sendNow(QueueState state, List<Bytes> bodies) {
        long sentMillis = tasks.nowMillis();
        long number = state.drawNumbers(bodies.size());
        List<HeldMessage> sent = new ArrayList<>(bodies.size());
        List<SendResult> results = new ArrayList<>(bodies.size());
        for (Bytes body : bodies) {
            HeldMessage message = new HeldMessage(number++, tasks.random().nextLong(), sentMillis);
            file.messages()
                    .put(
                            new MessageKey(state.id(), message.number).encode(),
                            new StoredMessage(sentMillis, message.id, body).encode());
            sent.add(message);
            results.add(new SendResult.Sent(message.messageId()));
        }
        file.commit();
        if (!state.add(sent)) {
            throw QueueState.missing(name);
        }
        return results;
    }

    @Override
    public List<Delivery> receive(int max, Duration visibility, Duration wait) {
        QueueRules.checkReceive(LocalQueueService.LIMITS, max, visibility, wait);
        long deadlineNanos = nowNanos() + wait.toNanos();
        while (true) {
            QueueState state = file.call(() -> service.state(name));
            Promise<Boolean> turn = tasks.promise();
            Received received = file.call(() -> receiveNow(state, max, visibility, turn));
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
        QueueState.Taken taken = state.take(max, now, now + visibility.toNanos(), tasks.random()::nextLong, turn);
        List<Delivery> deliveries = new ArrayList<>();
        for (QueueState.Delivered delivered : taken.messages()) {
            byte[] stored = file.messages().get(delivered.key().encode());
            // Another receiver, to which it was visible again, may have deleted it by now.
            if (stored != null) {
                deliveries.add(deliver(StoredMessage.decode(stored), delivered));
            }
        }
        return new Received(deliveries, taken.nextVisibleNanos());
    }

    private static Delivery deliver(StoredMessage message, QueueState.Delivered delivered) {
        return new Delivery(
                HexFormat.of().toHexDigits(message.id()),
                delivered.receipt(),
                message.body(),
                message.sentMillis(),
                delivered.receiveCount());
    }

    @Override
    public List<Receipt> delete(List<Receipt> receipts) {
        QueueRules.checkBatch(LocalQueueService.LIMITS, receipts.size());
        return file.call(() -> {
            QueueState state = service.state(name);
            List<Receipt> left = new ArrayList<>();
            for (Receipt receipt : receipts) {
                HeldMessage.@Nullable Handle handle = HeldMessage.Handle.parse(receipt);
                if (handle != null && state.remove(handle)) {
                    file.messages().remove(new MessageKey(state.id(), handle.number()).encode());
                } else {
                    left.add(receipt);
                }
            }
            file.commitSoon();
            return left;
        });
    }

    @Override
    public void changeVisibility(Receipt receipt, Duration visibility) {
        QueueRules.checkVisibility(visibility);
        HeldMessage.@Nullable Handle handle = HeldMessage.Handle.parse(receipt);
        QueueState state = file.call(() -> service.state(name));
        long now = nowNanos();
        state.changeVisibility(handle, now, now + visibility.toNanos());
    }

    @Override
    public QueueDepth depth() {
        return file.call(() -> {
            QueueState state = service.state(name);
            service.expire(state);
            return state.depth(nowNanos());
        });
    }

    @Override
    public QueueConfiguration configuration() {
        return file.call(() -> QueueConfiguration.standard(service.state(name).retention(), LocalQueueService.LIMITS));
    }

    /** The queues' clock: nanoseconds since the service was opened, so that readings compare plainly. */
    private long nowNanos() {
        return tasks.nanoTime() - clockStartNanos;
    }

    private record Received(List<Delivery> deliveries, long nextVisibleNanos) {}
}
