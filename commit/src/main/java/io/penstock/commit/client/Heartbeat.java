package io.penstock.commit.client;

import io.penstock.core.ClientId;
import io.penstock.core.task.Recurring;
import io.penstock.core.task.SingleFlight;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A background task that keeps the client ids of one open store alive in the registry, from their first use on. Safe
 * for use by many threads.
 */
public final class Heartbeat {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    /** A heartbeat takes as long as one put. */
    private static final Duration BEAT_MAX = Duration.ofSeconds(5);

    private final ClientRegistry registry;
    private final Duration interval;
    private final SingleFlight<ClientId, Boolean> first;
    private final Recurring loop;
    private final Set<ClientId> beating = new ConcurrentSkipListSet<>();

    public Heartbeat(Tasks tasks, ClientRegistry registry, Duration interval) {
        this.registry = registry;
        this.interval = interval;
        this.first = new SingleFlight<>(tasks);
        this.loop = new Recurring(tasks, "heartbeat", interval);
    }

    /** Starts the heartbeats of {@code client}, and returns when the registry has the first. */
    public void begin(ClientId client) {
        if (beating.contains(client)) {
            return;
        }
        beatNow(client);
    }

    /** Does as {@link #begin}, and gives a heartbeat now in any case, whose answer tells the servers' time. */
    public void beatNow(ClientId client) {
        first.call(client, () -> {
            registry.beat(client);
            beating.add(client);
            loop.start(interval, this::beatAll);
            return true;
        });
    }

    /** Ends the heartbeats of {@code client}, which then counts as dead after a while. */
    public void end(ClientId client) {
        beating.remove(client);
    }

    /** Whether {@code client} has heartbeats: {@link #begin} was called for it, and {@link #end} was not. */
    public boolean isBeating(ClientId client) {
        return beating.contains(client);
    }

    /**
     * Ends all heartbeats. Waits for one that is under way, at most for a while: it would put the client back on record
     * after {@link #signOff}.
     */
    public void stop() {
        if (!loop.stop(BEAT_MAX)) {
            LOG.warn("a heartbeat is still under way; closing without waiting any longer");
        }
    }

    /** Removes all clients from the registry, since they have left nothing to recover. Call {@link #stop} first. */
    public void signOff() {
        beating.forEach(registry::remove);
    }

    /** Marks all clients as retired, since they may have left something to recover. Call {@link #stop} first. */
    public void retire() {
        beating.forEach(registry::retire);
    }

    /** The task that sends the heartbeats. */
    public Recurring loop() {
        return loop;
    }

    private void beatAll() {
        for (ClientId client : beating) {
            try {
                registry.beat(client);
            } catch (RuntimeException e) {
                LOG.warn("a heartbeat failed; it is tried again client={} why={}", client, e.getMessage());
            }
        }
    }
}
