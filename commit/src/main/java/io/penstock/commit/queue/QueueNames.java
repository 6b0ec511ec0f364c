package io.penstock.commit.queue;

import io.penstock.commit.client.StoreIdentity;
import io.penstock.core.ClientId;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The names of a store's queues. They carry its identity, so that stores of one prefix in two buckets share none. With
 * a prefix of at most 30 characters the longest has 79 characters, below the 80 that SQS allows.
 */
public record QueueNames(StoreIdentity store) {
    private static final Pattern CLIENT = Pattern.compile("[0-9a-f]{16}");

    /** The store's name in its bucket and queues. */
    public String prefix() {
        return store.prefix();
    }

    private String of(String kind) {
        return store.prefix() + "-" + kind + "-" + store.shortId() + "-";
    }

    public String pu(PuQueueId id) {
        return puPrefix() + id.name();
    }

    public String puPrefix() {
        return of("pu");
    }

    public String lock(PuQueueId id) {
        return of("lk") + id.name();
    }

    public String atomic(ClientId client) {
        return atomicPrefix() + client.hex();
    }

    /** The queue to which clients of a domain hand in what has lost a race for the next segment of its log. */
    public String intake(String domain) {
        return of("in") + domain;
    }

    public String atomicPrefix() {
        return of("at");
    }

    /**
     * Returns the PU queue of a full queue name; empty when it is none of this store, such as one of {@code shop-pu}.
     */
    public Optional<PuQueueId> puQueue(String name) {
        return name.startsWith(puPrefix())
                ? PuQueueId.find(name.substring(puPrefix().length()))
                : Optional.empty();
    }

    /** Returns the client of a full name of an ATOMIC queue; empty when it is none of this store. */
    public Optional<ClientId> atomicQueue(String name) {
        return name.startsWith(atomicPrefix())
                        && CLIENT.matcher(name.substring(atomicPrefix().length()))
                                .matches()
                ? Optional.of(ClientId.fromHex(name.substring(atomicPrefix().length())))
                : Optional.empty();
    }
}
