package io.penstock.testkit;

import io.penstock.core.Bytes;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.table.MessageTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The servers' state of one queue. Plain state: every method happens at one instant and waits for nothing. */
final class QueueState {
    /** A message that returns after its deletion stays away up to this many times longer than a delayed send. */
    private static final int RETURN_FACTOR = 16;

    /** The number of receives after which a queue that redrives moves a message elsewhere. */
    private static final int RECEIVES_MAX = 3;

    final String name;
    final long createdNanos;
    private QueueConfiguration configuration;
    private final MessageTable<SimulatedMessage> messages = new MessageTable<>();
    private final List<SimulatedPromise<Boolean>> listeners = new ArrayList<>();

    QueueState(String name, QueueConfiguration configuration, long createdNanos) {
        this.name = name;
        this.configuration = configuration;
        this.createdNanos = createdNanos;
    }

    /** Returns a copy of these messages, without their waiting receives. */
    QueueState copy() {
        QueueState copy = new QueueState(name, configuration, createdNanos);
        messages.all().forEach(message -> copy.messages.add(message.copy()));
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
        SimulatedMessage message = new SimulatedMessage(++cloud.messages, id, body, serverMillis, expires);
        messages.add(message);
        messages.hide(message, visible);
        announce();
        return id;
    }

    /**
     * Takes up to {@code max} visible messages in no order, and hides them, except for those that the world duplicates.
     */
    List<Delivery> take(SimulatedCloud cloud, int max, long visibilityNanos, boolean shortPoll) {
        long now = cloud.simulation.nowNanos();
        World world = cloud.world();
        forget(now);
        redrive(now);
        List<SimulatedMessage> visible = new ArrayList<>();
        for (SimulatedMessage message : messages.all()) {
            boolean missed = shortPoll && cloud.faults.chance(world.missed());
            if (message.isVisible(now) && !missed) {
                visible.add(message);
            }
        }
        List<Delivery> taken = new ArrayList<>();
        while (taken.size() < max && !visible.isEmpty()) {
            // A draw among the oldest few, because a real queue delivers neighbours together more often.
            int window = Math.min(visible.size(), 2 * max);
            SimulatedMessage message = visible.remove(cloud.faults.nextInt(window));
            boolean again = cloud.faults.chance(world.duplicate());
            Receipt receipt =
                    messages.deliver(message, message.receiveCount() + 1L, again ? now : now + visibilityNanos);
            taken.add(new Delivery(message.id, receipt, message.body, message.sentMillis(), message.receiveCount()));
        }
        return taken;
    }

    void showAll() {
        messages.showAll();
        announce();
    }

    /** Changes messages, or removes them, unnoticed by all clients. */
    void tamper(Tampering tampering) {
        for (SimulatedMessage message : List.copyOf(messages.all())) {
            tampering
                    .change(name, message.body, message.receiveCount())
                    .ifPresentOrElse(body -> message.body = body, () -> messages.remove(message));
        }
    }

    /** Moves messages that were received too often to a queue that no client reads, when they would be shown again. */
    private void redrive(long nowNanos) {
        if (configuration.redrives()) {
            List.copyOf(messages.all()).stream()
                    .filter(message -> message.receiveCount() >= RECEIVES_MAX && message.isVisible(nowNanos))
                    .forEach(messages::remove);
        }
    }

    private void forget(long nowNanos) {
        messages.expire(message -> message.expiresNanos <= nowNanos);
    }

    /**
     * Removes the message of a delivery; false when a newer delivery has it, or the receipt is foreign. The world may
     * bring the message back all the same.
     */
    boolean delete(SimulatedCloud cloud, Receipt receipt) {
        return messages.claim(receipt, message -> {
            if (cloud.faults.chance(cloud.world().duplicate())) {
                messages.hide(message, cloud.simulation.nowNanos() + comeBackNanos(cloud));
                announce();
            } else {
                messages.remove(message);
            }
        });
    }

    /** The time until a deleted message is shown again. */
    private static long comeBackNanos(SimulatedCloud cloud) {
        long delay = cloud.world().sendDelay().toNanos();
        return delay == 0 ? 0 : cloud.faults.nextLong(RETURN_FACTOR * delay);
    }

    /** Hides the message of a delivery until {@code nanos} from now, if that delivery hides it still. */
    void changeVisibility(SimulatedCloud cloud, Receipt receipt, long nanos) {
        long now = cloud.simulation.nowNanos();
        if (messages.changeVisibility(receipt, now, now + nanos)) {
            announce();
        }
    }

    QueueDepth depth(long nowNanos) {
        forget(nowNanos);
        return messages.depth(nowNanos);
    }

    /** Returns the depth that a client sees: some worlds count only roughly, each message or not. */
    QueueDepth toldDepth(SimulatedCloud cloud) {
        QueueDepth exact = depth(cloud.simulation.nowNanos());
        if (!cloud.faults.chance(cloud.world().missed())) {
            return exact;
        }
        long visible = 0;
        long hidden = 0;
        for (SimulatedMessage message : messages.all()) {
            if (cloud.faults.nextBoolean()) {
                boolean shown = message.isVisible(cloud.simulation.nowNanos());
                visible += shown ? 1 : 0;
                hidden += shown ? 0 : 1;
            }
        }
        return new QueueDepth(visible, hidden);
    }

    /** The time when the next hidden message becomes visible, at most {@code horizonNanos}. */
    long nextVisibleNanos(long horizonNanos) {
        return Math.min(horizonNanos, messages.nextVisibleNanos());
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
