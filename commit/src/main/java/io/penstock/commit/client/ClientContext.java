package io.penstock.commit.client;

import io.penstock.core.ClientId;
import io.penstock.core.UnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A client among the clients of a store: its heartbeat, and the registry and clock by which it judges the others. Safe
 * for use by many threads.
 */
public record ClientContext(ClientRegistry registry, Heartbeat heartbeat, ServerClock serverClock) {
    /** A listing costs as much as a dozen reads. */
    private static final int ASKED_ONE_BY_ONE = 4;

    /** The most heartbeats in one call, each because the last one took too long or a clock has stepped. */
    private static final int TRIES_MAX = 8;

    /** The id of this client, drawn if there is none. It may be another one after a while. */
    public ClientId client() {
        return heartbeat.identity().client();
    }

    /**
     * Registers this client before it writes, and learns the servers' time by that.
     *
     * @throws io.penstock.core.UnavailableException when this machine's clock is too far off
     */
    public void join() {
        heartbeat.join(false);
        serverClock.requireKnownInStep();
    }

    /**
     * Joins for as long as {@code body} runs, which is given the identity.
     *
     * @param queue whether an ATOMIC queue is needed
     */
    public <T> T whileJoined(boolean queue, Function<Identity, T> body) {
        return heartbeat.whileJoined(queue, joined -> body.apply(inStep(joined, queue)));
    }

    /**
     * The answer to the first heartbeat may be lost: then this machine's clock is all that is known, and a stamp must
     * not rest on that alone. So another one is given, which may find that the identity is not ours; and so on.
     */
    private Identity inStep(Identity joined, boolean queue) {
        Identity identity = joined;
        serverClock.requireKnownInStep();
        for (int tries = 1; !heartbeat.isJoined(identity, queue); tries++) {
            if (tries > TRIES_MAX) {
                throw new UnavailableException(
                        "the client could not be registered in time; nothing was committed, retry it");
            }
            identity = heartbeat.join(queue);
            serverClock.requireKnownInStep();
        }
        return identity;
    }

    /** Whether a client is not registered, is retired, or its last heartbeat is too old. This handle is alive. */
    public boolean isDead(ClientId other) {
        return heartbeat
                .current()
                .filter(own -> own.owns(other))
                .map(own -> own.isEnded(other))
                .orElseGet(() -> registry.isDead(other));
    }

    /** Returns {@code registered} without this client. */
    public List<ClientRegistry.Known> others(List<ClientRegistry.Known> registered) {
        Optional<Identity> own = heartbeat.current();
        return registered.stream()
                .filter(known ->
                        own.filter(identity -> identity.owns(known.client())).isEmpty())
                .toList();
    }

    /** Returns the dead clients among {@code others}. */
    public List<ClientRegistry.Known> dead(List<ClientRegistry.Known> others) {
        return others.stream().filter(registry::isDead).toList();
    }

    /** The longest time that any of the living clients has been silent. */
    public Duration longestSilence(List<ClientRegistry.Known> others) {
        return Duration.ofMillis(others.stream()
                .filter(known -> !registry.isDead(known))
                .mapToLong(ClientRegistry.Known::silenceMillis)
                .max()
                .orElse(0));
    }

    /** Returns the dead clients among {@code ids}; takes a few requests, however many they are. */
    public Set<ClientId> deadAmong(Set<ClientId> ids) {
        if (ids.size() <= ASKED_ONE_BY_ONE) {
            return ids.stream().filter(this::isDead).collect(Collectors.toSet());
        }
        Set<ClientId> alive = registry.alive();
        return ids.stream()
                // Of a living client only it says which of its ids are in use.
                .filter(id -> !alive.contains(id) && !alive.contains(Identity.base(id)) || isDead(id))
                .collect(Collectors.toSet());
    }

    /** Goes on under another identity, if there is one. */
    public void renew() {
        heartbeat.current().ifPresent(heartbeat::renew);
    }
}
