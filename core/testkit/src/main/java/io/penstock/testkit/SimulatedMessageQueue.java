package io.penstock.testkit;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.RefusedException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.QueueRules;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One client's view of one simulated queue, by its name: like on SQS, an old handle of a queue that was deleted and
 * created again is a handle of the new one.
 */
final class SimulatedMessageQueue implements MessageQueue {
    private final SimulatedCloud cloud;
    private final SimulatedClient client;
    private final String name;
    private final Call call;

    SimulatedMessageQueue(SimulatedCloud cloud, SimulatedClient client, String name) {
        this.cloud = cloud;
        this.client = client;
        this.name = name;
        this.call = new Call(cloud, client);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<SendResult> send(List<Bytes> bodies) {
        QueueRules.checkSend(cloud.profile.limits(), bodies);
        long bytes = bodies.stream().mapToLong(Bytes::length).sum();
        List<Bytes> kept = bodies.stream().map(Bytes::copy).toList();
        return call.write("send", name, CloudCall.SEND, bytes, () -> {
            if (isGoing()) {
                return kept.stream()
                        .map(body -> (SendResult) new SendResult.Sent(cloud.drawName()))
                        .toList();
            }
            QueueState state = state();
            requireTaken(state.configuration(), kept);
            List<SendResult> results = new ArrayList<>(kept.size());
            for (Bytes body : kept) {
                if (kept.size() > 1 && cloud.faults.chance(cloud.world().unavailable())) {
                    results.add(new SendResult.NotSent(false, "RequestThrottled"));
                } else {
                    results.add(new SendResult.Sent(state.send(cloud, body, client.serverMillis())));
                }
            }
            return results;
        });
    }

    @Override
    public List<Delivery> receive(int max, Duration visibility, Duration wait) {
        QueueRules.checkReceive(cloud.profile.limits(), max, visibility, wait);
        long deadline = cloud.simulation.after(wait);
        return call.take(
                "receive",
                name,
                CloudCall.RECEIVE,
                () -> poll(max, visibility, wait.isZero(), deadline),
                taken -> taken.stream().mapToLong(d -> d.body().length()).sum());
    }

    private List<Delivery> poll(int max, Duration visibility, boolean shortPoll, long deadlineNanos) {
        while (true) {
            QueueState state = state();
            List<Delivery> taken = state.take(cloud, max, visibility.toNanos(), shortPoll);
            long now = cloud.simulation.nowNanos();
            if (!taken.isEmpty() || now >= deadlineNanos) {
                return taken;
            }
            long next = Math.max(state.nextVisibleNanos(deadlineNanos), now + 1);
            state.awaitChange(cloud.simulation, Duration.ofNanos(next - now));
        }
    }

    @Override
    public List<Receipt> delete(List<Receipt> receipts) {
        QueueRules.checkBatch(cloud.profile.limits(), receipts.size());
        List<Receipt> given = List.copyOf(receipts);
        return call.write("delete message", name, CloudCall.ACKNOWLEDGE, 0, () -> {
            QueueState state = state();
            List<Receipt> failed = new ArrayList<>();
            for (Receipt receipt : given) {
                boolean throttled =
                        given.size() > 1 && cloud.faults.chance(cloud.world().unavailable());
                if (throttled || !state.delete(cloud, receipt)) {
                    failed.add(receipt);
                }
            }
            return failed;
        });
    }

    @Override
    public void changeVisibility(Receipt receipt, Duration visibility) {
        QueueRules.checkVisibility(visibility);
        call.write("change visibility", name, CloudCall.ACKNOWLEDGE, 0, () -> {
            state().changeVisibility(cloud, receipt, visibility.toNanos());
            return true;
        });
    }

    @Override
    public QueueDepth depth() {
        return call.read("queue depth", name, answer -> CloudCall.MANAGE, () -> state().toldDepth(cloud), depth -> 0);
    }

    @Override
    public QueueConfiguration configuration() {
        return call.read(
                "queue configuration",
                name,
                answer -> CloudCall.MANAGE,
                () -> state().configuration(),
                configuration -> 0);
    }

    /** A queue may take less than its service does. */
    private static void requireTaken(QueueConfiguration configuration, List<Bytes> bodies) {
        if (bodies.stream().anyMatch(body -> body.length() > configuration.messageBytes())) {
            throw new InvalidRequestException(
                    ErrorCode.TOO_LARGE,
                    "a message is too large for this queue; split it",
                    "max",
                    configuration.messageBytes());
        }
    }

    /** Whether the queue was deleted within a minute: it may still take messages, which are lost. */
    private boolean isGoing() {
        long goneNanos = cloud.namesBarredUntil.getOrDefault(name, Long.MIN_VALUE);
        return !cloud.queues.containsKey(name)
                && cloud.simulation.nowNanos() < goneNanos
                && cloud.world().missed() > 0
                && cloud.faults.nextBoolean();
    }

    private QueueState state() {
        QueueState state = cloud.queues.get(name);
        if (state == null) {
            throw new RefusedException(
                    ErrorCode.QUEUE_NOT_FOUND, "there is no such queue; it was deleted", "queue", name);
        }
        return state;
    }
}
