package io.penstock.core.sim;

import io.penstock.core.Bytes;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.Receipt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the servers know of one queue. Plain state: every method happens at one instant and waits for nothing. */
final class QueueState {
    /** A message of the queue; {@code visibleNanos} and {@code receipt} change with every delivery. */
    private static final class Message {
        final String id;
        final Bytes body;
        final long sentMillis;
        final long expiresNanos;
        long visibleNanos;
        long deliveries;
        int receiveCount;

        Message(String id, Bytes body, long sentMillis, long expiresNanos, long visibleNanos) {
            this.id = id;
            this.body = body;
            this.sentMillis = sentMillis;
            this.expiresNanos = expiresNanos;
            this.visibleNanos = visibleNanos;
        }
    }

    final String name;
    final QueueAttributes attributes;
    private final Map<String, Message> messages = new LinkedHashMap<>();
    private final List<SimulatedPromise<Boolean>> listeners = new ArrayList<>();
    boolean deleted;

    QueueState(String name, QueueAttributes attributes) {
        this.name = name;
        this.attributes = attributes;
    }

    String send(SimulatedCloud cloud, Bytes body, long serverMillis) {
        long now = cloud.simulation.nowNanos();
        long delay = cloud.world().sendDelay().toNanos();
        String id = Long.toHexString(cloud.names.nextLong());
        long visible = now + (delay == 0 ? 0 : cloud.faults.nextLong(delay));
        long expires = now + attributes.retention().toNanos();
        messages.put(id, new Message(id, body, serverMillis, expires, visible));
        announce();
        return id;
    }

    /** Up to {@code max} visible messages in no order; hides them, but for those the world shows again. */
    List<Delivery> take(SimulatedCloud cloud, int max, long visibilityNanos, boolean shortPoll) {
        long now = cloud.simulation.nowNanos();
        World world = cloud.world();
        List<Message> visible = new ArrayList<>();
        for (Message message : live(now)) {
            boolean missed = shortPoll && cloud.faults.chance(world.missed());
            if (message.visibleNanos <= now && !missed) {
                visible.add(message);
            }
        }
        List<Delivery> taken = new ArrayList<>();
        while (taken.size() < max && !visible.isEmpty()) {
            // Neighbours are likelier than strangers: a draw among the oldest few, as a real queue behaves.
            int window = Math.min(visible.size(), 2 * max);
            Message message = visible.remove(cloud.faults.nextInt(window));
            boolean again = cloud.faults.chance(world.duplicate());
            message.visibleNanos = again ? now : now + visibilityNanos;
            message.deliveries++;
            message.receiveCount++;
            Receipt receipt = new Receipt(message.id + ":" + message.deliveries);
            taken.add(new Delivery(message.id, receipt, message.body, message.sentMillis, message.receiveCount));
        }
        return taken;
    }

    private List<Message> live(long nowNanos) {
        messages.values().removeIf(message -> message.expiresNanos <= nowNanos);
        return List.copyOf(messages.values());
    }

    /** Removes the message, unless the receipt is of an earlier delivery or the world brings the message back. */
    void delete(SimulatedCloud cloud, Receipt receipt) {
        Message message = named(receipt);
        if (message == null) {
            return;
        }
        if (cloud.faults.chance(cloud.world().duplicate())) {
            message.visibleNanos = cloud.simulation.nowNanos();
            announce();
            return;
        }
        messages.remove(message.id);
    }

    void changeVisibility(SimulatedCloud cloud, Receipt receipt, long nanos) {
        Message message = named(receipt);
        if (message != null) {
            message.visibleNanos = cloud.simulation.nowNanos() + nanos;
            announce();
        }
    }

    private @Nullable Message named(Receipt receipt) {
        int colon = receipt.handle().indexOf(':');
        if (colon < 0) {
            return null;
        }
        Message message = messages.get(receipt.handle().substring(0, colon));
        boolean current = message != null && receipt.handle().endsWith(":" + message.deliveries);
        return current ? message : null;
    }

    QueueDepth depth(long nowNanos) {
        long visible = 0;
        List<Message> live = live(nowNanos);
        for (Message message : live) {
            if (message.visibleNanos <= nowNanos) {
                visible++;
            }
        }
        return new QueueDepth(visible, live.size() - visible);
    }

    /** When the next hidden message shows up, at most {@code horizonNanos}. */
    long nextVisibleNanos(long horizonNanos) {
        long next = horizonNanos;
        for (Message message : messages.values()) {
            next = Math.min(next, message.visibleNanos);
        }
        return next;
    }

    /** A promise that is kept at the next change which may show a message. */
    SimulatedPromise<Boolean> listen(Simulation simulation) {
        SimulatedPromise<Boolean> listener = new SimulatedPromise<>(simulation);
        listeners.add(listener);
        return listener;
    }

    void announce() {
        List<SimulatedPromise<Boolean>> waiting = List.copyOf(listeners);
        listeners.clear();
        waiting.forEach(listener -> listener.complete(true));
    }
}
