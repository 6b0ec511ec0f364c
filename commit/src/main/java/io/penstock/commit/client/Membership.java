package io.penstock.commit.client;

import io.penstock.core.ClientId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A client among the clients of a store: its id, its heartbeat, and the registry and clock by which it judges the
 * others. Safe for use by many threads.
 */
public record Membership(ClientId client, ClientRegistry registry, Heartbeat heartbeat, ServerClock serverClock) {
    /** A listing costs as much as a dozen reads. */
    private static final int ASKED_ONE_BY_ONE = 4;

    /**
     * Registers this client before its first write, which also tells it the servers' time.
     *
     * @throws io.penstock.core.UnavailableException when this machine's clock is too far off
     */
    public void join() {
        heartbeat.begin(client);
        serverClock.requireInStep();
    }

    /**
     * Whether a client is not registered, is retired, or its last heartbeat is too old. Ids of this handle are alive.
     */
    public boolean isDead(ClientId other) {
        return !heartbeat.isBeating(other) && registry.isDead(other);
    }

    /** Those of {@code ids} that are dead; however many they are, it takes a few requests to find out. */
    public Set<ClientId> deadAmong(Set<ClientId> ids) {
        if (ids.size() <= ASKED_ONE_BY_ONE) {
            return ids.stream().filter(this::isDead).collect(Collectors.toSet());
        }
        Set<ClientId> alive = registry.alive();
        return ids.stream()
                .filter(id -> !heartbeat.isBeating(id) && !alive.contains(id))
                .collect(Collectors.toSet());
    }

    /** The dead clients of the store, without the ids of this handle. */
    public List<ClientId> dead() {
        return registry.dead().stream().filter(id -> !heartbeat.isBeating(id)).toList();
    }
}
