package io.penstock.commit.client;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The registry of clients that write to the store: one small object for each, rewritten as a heartbeat, always on the
 * condition that it is as the client left it. Dead clients of which nothing is left to do but wait are kept apart.
 * Safety does not depend on which clients are taken for dead: everything that others do for a dead client is harmless
 * if it is alive.
 *
 * <p>Safe for use by many threads.
 */
public final class ClientRegistry {
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{16}");
    private static final String AFTER_IDS = "g";
    private static final int PAGE_OBJECTS = 1000;
    private static final Bytes RETIRED = Bytes.utf8("{\"state\":\"retired\"}\n");

    private final ObjectStore objects;
    private final String living;
    private final String settled;
    private final ServerClock serverClock;
    private final Duration deadAfter;

    /** @param prefix of the store's objects */
    public ClientRegistry(ObjectStore objects, String prefix, ServerClock serverClock, Duration deadAfter) {
        this.objects = objects;
        this.living = prefix + "/clients/";
        this.settled = prefix + "/retired/";
        this.serverClock = serverClock;
        this.deadAfter = deadAfter;
    }

    /** The state of its registration that a client found when it gave a heartbeat. */
    enum Beat {
        /** The client is registered. */
        OURS,
        /** The heartbeat was not written, though no other client has written either. */
        AGAIN,
        /** Others have taken it for dead. */
        TAKEN_OVER,
        /** Another process gives heartbeats under the same id. */
        TWIN
    }

    /**
     * Writes that a client is alive, if its object is as it left it.
     *
     * @param nonce a fresh random number
     * @param queue whether it may have an ATOMIC queue from now on
     */
    Beat beat(Identity identity, long nonce, boolean queue) {
        Bytes beat = identity.beat(nonce, queue);
        WriteCondition unchanged =
                identity.version().map(WriteCondition::ifVersion).orElse(WriteCondition.IF_ABSENT);
        identity.tried(beat, queue);
        try {
            Written written = objects.put(key(identity.client()), beat, unchanged);
            serverClock.observe(written.serverMillis());
            identity.lastHeartbeat(written.version(), queue);
            return Beat.OURS;
        } catch (ConflictException | OutcomeUnknownException e) {
            return found(identity, queue);
        }
    }

    /** Looks at what is there instead of the client's last heartbeat. */
    private Beat found(Identity identity, boolean queue) {
        Optional<StoredObject> there = readable(key(identity.client()));
        if (there.isEmpty()) {
            // What was never there was not taken over: the first heartbeat of a clone may be on its way.
            return identity.version().isEmpty() ? Beat.AGAIN : Beat.TAKEN_OVER;
        }
        if (identity.version().equals(Optional.of(there.get().version()))) {
            return Beat.AGAIN;
        }
        if (identity.arrived(there.get().body(), there.get().version())) {
            return queue && !identity.hasQueue() ? Beat.AGAIN : Beat.OURS;
        }
        return there.get().body().equals(RETIRED) ? Beat.TAKEN_OVER : Beat.TWIN;
    }

    /**
     * Writes that a client will send nothing more, though its ATOMIC queue may not be empty.
     *
     * @return false when its object is not as it left it: then it is another's to decide what becomes of the queue
     */
    public boolean retire(Identity identity) {
        return identity.version()
                .map(version -> isPut(identity.client(), WriteCondition.ifVersion(version)))
                .orElse(false);
    }

    /** Writes that a client whose object is lost sends nothing more; nothing happens when it has one after all. */
    public void retireLost(ClientId client) {
        var unused = isPut(client, WriteCondition.IF_ABSENT);
    }

    private boolean isPut(ClientId client, WriteCondition condition) {
        try {
            Written written = objects.put(key(client), RETIRED, condition);
            serverClock.observe(written.serverMillis());
            return true;
        } catch (ConflictException | OutcomeUnknownException e) {
            return false;
        }
    }

    /** Removes a client that has retired, and has left nothing to recover. */
    public void remove(ClientId client) {
        objects.delete(key(client));
    }

    /** Whether a client is closed, retired or silent for too long, or sends nothing more under this id of its. */
    public boolean isDead(ClientId id) {
        long asked = serverClock.nowMillis();
        Optional<StoredObject> found = readable(key(Identity.base(id))); // of a damaged one nothing is known
        return found.isEmpty()
                || found.get().body().equals(RETIRED)
                || isStale(asked - found.get().modifiedMillis())
                || Identity.isEnded(found.get().body(), id);
    }

    /**
     * A registered client.
     *
     * @param retired whether it will send nothing more
     * @param queue whether it may have an ATOMIC queue
     * @param askedMillis when the servers were asked, by their clock. However late the answer is examined, it says
     *     nothing of what came after
     */
    public record Known(Listing.Entry entry, ClientId client, boolean retired, boolean queue, long askedMillis) {
        /**
         * Returns the time at which it was retired, or gave its last heartbeat, by the servers' clock, in milliseconds
         * since 1970.
         */
        public long modifiedMillis() {
            return entry.modifiedMillis();
        }

        /** The time since its last heartbeat, in milliseconds, when the servers were asked. */
        long silenceMillis() {
            return askedMillis - entry.modifiedMillis();
        }
    }

    /**
     * One page of a listing: as many clients as one request lists.
     *
     * @param next the id after which the next page begins; empty: this is the last
     */
    public record Page(List<Known> clients, Optional<String> next) {}

    /** All registered clients. Objects with other names are ignored. */
    public List<Known> list() {
        List<Known> all = new ArrayList<>();
        for (Optional<String> after = Optional.of(""); after.isPresent(); ) {
            Page page = page(after.get());
            all.addAll(page.clients);
            after = page.next;
        }
        return all;
    }

    /** The ids of all clients that have an object, settled ones among them. */
    public Set<ClientId> all() {
        Set<ClientId> all = list().stream().map(Known::client).collect(Collectors.toSet());
        for (Optional<String> after = Optional.of(""); after.isPresent(); ) {
            Page page = settledPage(after.get());
            page.clients.forEach(known -> all.add(known.client));
            after = page.next;
        }
        return all;
    }

    /** The registered clients after {@code after} in the order of their ids. */
    public Page page(String after) {
        return page(living, after);
    }

    /**
     * Returns the settled clients after {@code after}: dead ones that are only kept on record until nothing of theirs
     * can turn up any more.
     */
    public Page settledPage(String after) {
        return page(settled, after);
    }

    private Page page(String prefix, String after) {
        long asked = serverClock.nowMillis();
        Listing listing = objects.list(prefix, after.isEmpty() ? "" : prefix + after, PAGE_OBJECTS);
        List<String> names = listing.entries().stream()
                .map(entry -> entry.key().substring(prefix.length()))
                .toList();
        List<Known> clients = listing.entries().stream()
                .filter(entry ->
                        NAME.matcher(entry.key().substring(prefix.length())).matches())
                .map(entry -> known(entry, prefix, asked))
                .toList();
        // Ids are hexadecimal, and come before all other names.
        boolean more = listing.more() && !names.isEmpty() && names.getLast().compareTo(AFTER_IDS) < 0;
        return new Page(clients, more ? Optional.of(names.getLast()) : Optional.empty());
    }

    private static Known known(Listing.Entry entry, String prefix, long askedMillis) {
        // A listing returns sizes and no contents, but the states differ in length.
        boolean retired = entry.bytes() == RETIRED.length();
        return new Known(
                entry,
                ClientId.fromHex(entry.key().substring(prefix.length())),
                retired,
                !Identity.isWithoutQueue(entry.bytes()),
                askedMillis);
    }

    /** One registered client. */
    public Optional<Known> find(ClientId client) {
        long asked = serverClock.nowMillis();
        return objects.get(key(client))
                .map(found ->
                        new Listing.Entry(key(client), found.body().length(), found.version(), found.modifiedMillis()))
                .map(entry -> known(entry, living, asked));
    }

    /** Whether a client may have left something to recover: it was retired, or is silent for too long. */
    public boolean isDead(Known known) {
        return known.retired() || isStale(known.silenceMillis());
    }

    /** The clients that are registered, not retired, and whose heartbeat is young. */
    Set<ClientId> alive() {
        return list().stream()
                .filter(known -> !isDead(known))
                .map(Known::client)
                .collect(Collectors.toSet());
    }

    /**
     * Marks a dead client as retired, for good: if it is alive after all, it finds out by its next heartbeat and goes
     * on under another id.
     *
     * @return whether it is retired now; false when it was removed, or gave a heartbeat just now
     */
    public boolean adopt(Known dead) {
        return dead.retired()
                || isPut(dead.client(), WriteCondition.ifVersion(dead.entry().version()));
    }

    /** Puts a retired client apart, of which nothing is left to do but wait. */
    public void settle(ClientId client) {
        objects.put(settled + client.hex(), RETIRED, WriteCondition.ALWAYS);
        remove(client);
    }

    /** Removes a client that was put apart. */
    public void forget(ClientId client) {
        objects.delete(settled + client.hex());
    }

    private boolean isStale(long silenceMillis) {
        return silenceMillis > deadAfter.toMillis();
    }

    private String key(ClientId client) {
        return living + client.hex();
    }

    /**
     * The client that last wrote to the store under {@code name}; empty when none has, or when the object is damaged:
     * then a sweep recovers the client, as any other.
     */
    public Optional<ClientId> named(String name) {
        return readable(nameKey(name))
                .map(found -> found.body().toUtf8().strip())
                .filter(hex -> NAME.matcher(hex).matches())
                .map(ClientId::fromHex);
    }

    /** Stores that {@code client} has {@code name}, for the next client of that name. */
    public void name(String name, ClientId client) {
        objects.put(nameKey(name), Bytes.utf8(client.hex() + "\n"), WriteCondition.ALWAYS);
    }

    private Optional<StoredObject> readable(String key) {
        try {
            return objects.get(key);
        } catch (CorruptDataException damaged) {
            return Optional.empty();
        }
    }

    private String nameKey(String name) {
        return living + "name." + name;
    }
}
