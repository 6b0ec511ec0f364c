package io.penstock.testkit;

import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.StoredObject;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueService;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The servers of one region: objects and queues that all clients of a {@link Simulation} share. They survive the crash
 * of any client.
 */
public final class SimulatedCloud {
    final Simulation simulation;
    final Profile profile;
    final SeededRandom latencies;
    final SeededRandom faults;
    final SeededRandom names;
    final TreeMap<String, ObjectHistory> objects = new TreeMap<>(SimulatedCloud::byUtf8);
    /** The number of puts of an object on the way. */
    final Map<String, Integer> puts = new TreeMap<>();

    final Map<String, QueueState> queues = new TreeMap<>();
    /** The number of messages that were sent: their numbers, in the order of sending. */
    long messages;

    /** The virtual time when a queue's name is free again after its deletion. */
    final Map<String, Long> namesBarredUntil = new TreeMap<>();

    CallWatcher watcher = (step, client, call, on, outcome) -> {};
    private World world;

    public SimulatedCloud(Simulation simulation, Profile profile, World world) {
        this.simulation = simulation;
        this.profile = profile;
        this.world = world;
        this.latencies = SeededRandom.stream(simulation.seed(), "latencies");
        this.faults = SeededRandom.stream(simulation.seed(), "faults");
        this.names = SeededRandom.stream(simulation.seed(), "names");
    }

    /**
     * Returns a copy of this cloud, with its present objects and messages: for trials that all begin with one state,
     * which is made once. This cloud must not be used meanwhile.
     *
     * @param next a simulation of another seed, so that no name is drawn twice, which begins at this one's time
     */
    public SimulatedCloud copy(Simulation next) {
        if (next.seed() == simulation.seed() || next.nowNanos() < simulation.nowNanos()) {
            throw new IllegalArgumentException("a copy needs a simulation of another seed that begins no earlier seed="
                    + next.seed() + " nanos=" + next.nowNanos());
        }
        SimulatedCloud copy = new SimulatedCloud(next, profile, world);
        objects.forEach((key, history) -> copy.objects.put(key, history.copy()));
        queues.forEach((name, queue) -> copy.queues.put(name, queue.copy()));
        copy.messages = messages;
        copy.namesBarredUntil.putAll(namesBarredUntil);
        return copy;
    }

    /** The object store as {@code client} sees it. */
    public ObjectStore objects(SimulatedClient client) {
        return new SimulatedObjectStore(this, client);
    }

    /** The queue service as {@code client} sees it. */
    public QueueService queues(SimulatedClient client) {
        return new SimulatedQueueService(this, client);
    }

    /** Changes the weather from now on, for instance to calm before a final check. */
    public void setWorld(World next) {
        world = next;
    }

    /**
     * Changes messages of all queues, or removes them, without a call and unnoticed by all clients: a purge, a
     * dead-letter queue, a program of another version.
     */
    public void tamper(Tampering tampering) {
        queues.values().forEach(queue -> queue.tamper(tampering));
    }

    /**
     * Gives queues another configuration, unnoticed by all clients: as if operators had made or changed them.
     *
     * @param part of the names of these queues
     */
    public void configure(String part, UnaryOperator<QueueConfiguration> change) {
        queues.values().stream()
                .filter(queue -> queue.name.contains(part))
                .forEach(queue -> queue.configure(change.apply(queue.configuration())));
    }

    /** Shows all messages that are hidden: as a local cloud does when it is opened. */
    public void showAll() {
        queues.values().forEach(QueueState::showAll);
    }

    /** Changes the content of an object without a call and unnoticed by all clients, as damage does. */
    public StoredObject replace(String key, Bytes body) {
        StoredObject next = new StoredObject(
                body, new ObjectVersion(drawName()), Simulation.EPOCH_MILLIS + simulation.nowNanos() / 1_000_000);
        restore(key, next);
        return next;
    }

    /** Removes an object unnoticed by all clients, as a loss does. */
    public void lose(String key) {
        objects.remove(key);
    }

    /** Puts an object back as it was, with its version. */
    public void restore(String key, StoredObject object) {
        long now = simulation.nowNanos();
        objects.computeIfAbsent(key, k -> new ObjectHistory()).write(object, now, now);
    }

    /** Shows every call from now on to {@code next}, and to no other. */
    public void watch(CallWatcher next) {
        watcher = next;
    }

    /** The newest content of an object, even if no client can see it yet; takes no time. For checks. */
    public Optional<StoredObject> newest(String key) {
        ObjectHistory history = objects.get(key);
        return history == null ? Optional.empty() : Optional.ofNullable(history.newest());
    }

    /**
     * Compares two keys by their UTF-8 bytes: the order of their code points, which UTF-16 keeps except for surrogates.
     */
    static int byUtf8(String left, String right) {
        int length = Math.min(left.length(), right.length());
        for (int i = 0; i < length; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                boolean surrogates = Character.isSurrogate(a) != Character.isSurrogate(b);
                return surrogates ? (Character.isSurrogate(a) ? 1 : -1) : Character.compare(a, b);
            }
        }
        return Integer.compare(left.length(), right.length());
    }

    /**
     * The content of the cloud, in a few lines: objects by key, and queues that are not empty. For failure messages.
     */
    public String describe() {
        StringBuilder text = new StringBuilder("objects:");
        objects.forEach((key, history) -> text.append(' ').append(key));
        text.append(" queues:");
        queues.forEach((name, queue) -> {
            if (queue.depth(simulation.nowNanos()).total() > 0) {
                text.append(' ').append(name).append(queue.depth(simulation.nowNanos()));
            }
        });
        return text.toString();
    }

    /** A unique name, for a version or a message. */
    String drawName() {
        return HexFormat.of().toHexDigits(names.nextLong());
    }

    World world() {
        return world;
    }
}
