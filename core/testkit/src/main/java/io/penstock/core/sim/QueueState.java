package io.penstock.core.sim;

import io.penstock.core.Bytes;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The servers' state of one queue. Plain state: every method happens at one instant and waits for nothing. */
final class QueueState {
    /** Separates a message's id from the number of the delivery, in a receipt. */
    private static final String SEPARATOR = ":";

    /** A message that returns after its deletion stays away up to this many times longer than a delayed send. */
    private static final int RETURN_FACTOR = 16;

    /** After so many receives a queue that redrives moves a message elsewhere. */
    private static final int RECEIVES_MAX = 3;

    /** A message of the queue; {@code visibleNanos} and {@code receipt} change with every delivery. */
    private static final class Message {
        final String id;
        Bytes body;
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

        Message copy() {
            Message copy = new Message(id, body, sentMillis, expiresNanos, visibleNanos);
            copy.deliveries = deliveries;
            copy.receiveCount = receiveCount;
            return copy;
        }
    }

    final String name;
    final long createdNanos;
    private QueueConfiguration configuration;
    private final Map<String, Message> messages = new LinkedHashMap<>();
    private final List<SimulatedPromise<Boolean>> listeners = new ArrayList<>();

    QueueState(String name, QueueConfiguration configuration, long createdNanos) {
        this.name = name;
        this.configuration = configuration;
        this.createdNanos = createdNanos;
    }

    /** The same messages; nobody waits for them. */
    QueueState copy() {
        QueueState copy = new QueueState(name, configuration, createdNanos);
        messages.forEach((id, message) -> copy.messages.put(id, message.copy()));
        return copy;
    }

    QueueConfiguration configuration() {
        return configuration;
    }

    /** Holds for the messages that are sent from now on, and for all that are received. */
    void configure(QueueConfiguration next) {
        configuration = next;
    }

    String send(SimulatedCloud cloud, Bytes body, long serverMillis) {
        long now = cloud.simulation.nowNanos();
        long delay = cloud.world().sendDelay().toNanos();
        String id = cloud.drawName();
        long visible = now + configuration.delay().toNanos() + (delay == 0 ? 0 : cloud.faults.nextLong(delay));
        long expires = now + configuration.retention().toNanos();
        messages.put(id, new Message(id, body, serverMillis, expires, visible));
        announce();
        return id;
    }

    /**
     * Takes up to {@code max} visible messages in no order, and hides them, except for those that the world duplicates.
     */
    List<Delivery> take(SimulatedCloud cloud, int max, long visibilityNanos, boolean shortPoll) {
        long now = cloud.simulation.nowNanos();
        World world = cloud.world();
        List<Message> visible = new ArrayList<>();
        forget(now);
        redrive(now);
        for (Message message : messages.values()) {
            boolean missed = shortPoll && cloud.faults.chance(world.missed());
            if (message.visibleNanos <= now && !missed) {
                visible.add(message);
            }
        }
        List<Delivery> taken = new ArrayList<>();
        while (taken.size() < max && !visible.isEmpty()) {
            // A draw among the oldest few, because a real queue delivers neighbours together more often.
            int window = Math.min(visible.size(), 2 * max);
            Message message = visible.remove(cloud.faults.nextInt(window));
            boolean again = cloud.faults.chance(world.duplicate());
            message.visibleNanos = again ? now : now + visibilityNanos;
            message.deliveries++;
            message.receiveCount++;
            Receipt receipt = new Receipt(message.id + SEPARATOR + message.deliveries);
            taken.add(new Delivery(message.id, receipt, message.body, message.sentMillis, message.receiveCount));
        }
        return taken;
    }

    void showAll(long nowNanos) {
        messages.values().forEach(message -> message.visibleNanos = Math.min(message.visibleNanos, nowNanos));
        announce();
    }

    /** Changes messages, or takes them away, behind the back of all clients. */
    void tamper(Tampering tampering) {
        for (Message message : List.copyOf(messages.values())) {
            Optional<Bytes> body = tampering.change(name, message.body, message.receiveCount);
            if (body.isEmpty()) {
                messages.remove(message.id);
            } else {
                message.body = body.get();
            }
        }
    }

    /** Moves what was received too often to where nobody looks, when it would be shown again. */
    private void redrive(long nowNanos) {
        if (configuration.redrives()) {
            messages.values()
                    .removeIf(message -> message.receiveCount >= RECEIVES_MAX && message.visibleNanos <= nowNanos);
        }
    }

    /** Drops what is older than the retention: the first ones, since messages are kept in the order of sending. */
    private void forget(long nowNanos) {
        Iterator<Message> oldest = messages.values().iterator();
        while (oldest.hasNext() && oldest.next().expiresNanos <= nowNanos) {
            oldest.remove();
        }
    }

    /**
     * Removes the message of a delivery; false when a newer delivery has it, or the receipt is foreign. The world may
     * bring the message back all the same.
     */
    boolean delete(SimulatedCloud cloud, Receipt receipt) {
        int separator = receipt.handle().indexOf(SEPARATOR);
        if (separator < 0) {
            return false;
        }
        Message message = messages.get(receipt.handle().substring(0, separator));
        if (message == null) {
            return true;
        }
        if (!isNewest(message, receipt)) {
            return false;
        }
        if (cloud.faults.chance(cloud.world().duplicate())) {
            message.visibleNanos = cloud.simulation.nowNanos() + comeBackNanos(cloud);
            announce();
        } else {
            messages.remove(message.id);
        }
        return true;
    }

    /** The time until a deleted message is shown again. */
    private static long comeBackNanos(SimulatedCloud cloud) {
        long delay = cloud.world().sendDelay().toNanos();
        return delay == 0 ? 0 : cloud.faults.nextLong(RETURN_FACTOR * delay);
    }

    private static boolean isNewest(Message message, Receipt receipt) {
        return receipt.handle().equals(message.id + SEPARATOR + message.deliveries);
    }

    /** Hides the message of a delivery until {@code nanos} from now, if that delivery hides it still. */
    void changeVisibility(SimulatedCloud cloud, Receipt receipt, long nanos) {
        int separator = receipt.handle().indexOf(SEPARATOR);
        Message message = separator < 0 ? null : messages.get(receipt.handle().substring(0, separator));
        long now = cloud.simulation.nowNanos();
        if (message != null && isNewest(message, receipt) && message.visibleNanos > now) {
            message.visibleNanos = now + nanos;
            announce();
        }
    }

    QueueDepth depth(long nowNanos) {
        return depth(nowNanos, () -> true);
    }

    /** The depth that a client is told: some worlds count only roughly, each message or not. */
    QueueDepth toldDepth(SimulatedCloud cloud) {
        boolean rough = cloud.faults.chance(cloud.world().missed());
        return depth(cloud.simulation.nowNanos(), () -> !rough || cloud.faults.nextBoolean());
    }

    private QueueDepth depth(long nowNanos, BooleanSupplier counted) {
        forget(nowNanos);
        long visible = 0;
        long hidden = 0;
        for (Message message : messages.values()) {
            boolean shown = message.visibleNanos <= nowNanos;
            if (counted.getAsBoolean()) {
                visible += shown ? 1 : 0;
                hidden += shown ? 0 : 1;
            }
        }
        return new QueueDepth(visible, hidden);
    }

    /** The time when the next hidden message becomes visible, at most {@code horizonNanos}. */
    long nextVisibleNanos(long horizonNanos) {
        long next = horizonNanos;
        for (Message message : messages.values()) {
            next = Math.min(next, message.visibleNanos);
        }
        return next;
    }

    /** Waits until a change that may show a message, or the deletion of the queue, at most this long. */
    void awaitChange(Simulation simulation, Duration atMost) {
        SimulatedPromise<Boolean> listener = new SimulatedPromise<>(simulation);
        listeners.add(listener);
        try {
            listener.awaitFor(atMost);
        } finally {
            listeners.remove(listener);
        }
    }

    void announce() {
        List<SimulatedPromise<Boolean>> waiting = List.copyOf(listeners);
        listeners.clear();
        waiting.forEach(listener -> listener.complete(true));
    }
}
