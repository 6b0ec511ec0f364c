package io.penstock.commit.client;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.ConflictException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * Who writes to the store: one small object for each client id that has committed or checkpointed, written again as a
 * heartbeat. No safety rests on who is taken for dead: whatever is done for a dead client is harmless if it lives.
 *
 * <p>Safe for use by many threads.
 */
public final class ClientRegistry {
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{16}");
    private static final Bytes RETIRED = Bytes.utf8("{\"state\":\"retired\"}\n");

    private final ObjectStore objects;
    private final String prefix;
    private final ServerClock serverClock;
    private final Duration deadAfter;

    /** Makes each heartbeat differ from the last: S3's versions are hashes, and If-Match must see a beat in between. */
    private final AtomicLong beats = new AtomicLong();

    /** @param prefix of the objects' keys, such as {@code store/clients/} */
    public ClientRegistry(ObjectStore objects, String prefix, ServerClock serverClock, Duration deadAfter) {
        this.objects = objects;
        this.prefix = prefix;
        this.serverClock = serverClock;
        this.deadAfter = deadAfter;
    }

    /** Says that {@code client} is alive: before its first send, and from time to time. */
    public void beat(ClientId client) {
        String beat = String.format(Locale.ROOT, "%016x", beats.incrementAndGet());
        write(client, Bytes.utf8("{\"state\":\"alive\",\"beat\":\"" + beat + "\"}\n"));
    }

    /** Says that {@code client} will send nothing any more, though its ATOMIC queue may hold something. */
    public void retire(ClientId client) {
        write(client, RETIRED);
    }

    private void write(ClientId client, Bytes state) {
        Written written = objects.put(key(client), state, WriteCondition.ALWAYS);
        serverClock.observe(written.serverMillis());
    }

    /** Forgets {@code client}: it was closed with nothing left to do. */
    public void remove(ClientId client) {
        objects.delete(key(client));
    }

    /** Whether {@code client} is closed, retired, or has not been heard of for long. */
    public boolean isDead(ClientId client) {
        Optional<StoredObject> found = objects.get(key(client));
        return found.isEmpty()
                || found.get().body().equals(RETIRED)
                || isStale(found.get().modifiedMillis());
    }

    /**
     * A client that has not signed off.
     *
     * @param retired whether it will send nothing any more
     * @param modifiedMillis when it last said so, or gave its last heartbeat, by the servers' clock
     */
    public record Known(ClientId client, boolean retired, long modifiedMillis) {}

    /** All clients that have not signed off. Objects that are none of ours are left alone. */
    public List<Known> list() {
        return ObjectStores.listAll(objects, prefix).stream()
                .filter(entry -> NAME.matcher(name(entry)).matches())
                .map(this::known)
                .toList();
    }

    private Known known(Listing.Entry entry) {
        // A listing tells sizes, not contents; the two states differ in length.
        boolean retired = entry.bytes() == RETIRED.length();
        return new Known(ClientId.fromHex(name(entry)), retired, entry.modifiedMillis());
    }

    private String name(Listing.Entry entry) {
        return entry.key().substring(prefix.length());
    }

    /**
     * Clients that may have left something behind: those whose heartbeat is stale, and those that were retired and not
     * yet removed.
     */
    public List<ClientId> dead() {
        return list().stream()
                .filter(known -> known.retired() || isStale(known.modifiedMillis()))
                .map(Known::client)
                .toList();
    }

    /**
     * Marks a dead client as retired. Its next heartbeat, should it live, takes that back.
     *
     * @return since when it is retired, in the servers' milliseconds since 1970; empty when it was just removed or has
     *     just given a sign of life
     */
    public Optional<Long> adopt(ClientId client) {
        Optional<StoredObject> found = objects.get(key(client));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        if (found.get().body().equals(RETIRED)) {
            return Optional.of(found.get().modifiedMillis());
        }
        try {
            Written written = objects.put(
                    key(client), RETIRED, WriteCondition.ifVersion(found.get().version()));
            return Optional.of(written.serverMillis());
        } catch (ConflictException | OutcomeUnknownException e) {
            return Optional.empty();
        }
    }

    private boolean isStale(long modifiedMillis) {
        return serverClock.nowMillis() - modifiedMillis > deadAfter.toMillis();
    }

    private String key(ClientId client) {
        return prefix + client.hex();
    }

    /** The client that last opened the store under {@code name}; empty when none has. */
    public Optional<ClientId> named(String name) {
        return objects.get(nameKey(name))
                .map(found -> ClientId.fromHex(found.body().toUtf8().strip()));
    }

    /** Puts on record that {@code client} has {@code name}, for its successor. */
    public void name(String name, ClientId client) {
        objects.put(nameKey(name), Bytes.utf8(client.hex() + "\n"), WriteCondition.ALWAYS);
    }

    private String nameKey(String name) {
        return prefix + "name." + name;
    }
}
