package io.penstock.commit.client;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
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
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The registry of clients that write to the store: one small object for each client id that has committed or
 * checkpointed, rewritten as a heartbeat. Safety does not depend on which clients are taken for dead: everything that
 * others do for a dead client is harmless if it is alive.
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

    /**
     * A counter that makes each heartbeat differ from the last: S3's versions are hashes of contents, and If-Match must
     * notice a heartbeat in between.
     */
    private final AtomicLong beats = new AtomicLong();

    /** @param prefix of the objects' keys, such as {@code store/clients/} */
    public ClientRegistry(ObjectStore objects, String prefix, ServerClock serverClock, Duration deadAfter) {
        this.objects = objects;
        this.prefix = prefix;
        this.serverClock = serverClock;
        this.deadAfter = deadAfter;
    }

    /** Writes that {@code client} is alive: before its first send, and regularly after that. */
    public void beat(ClientId client) {
        String beat = String.format(Locale.ROOT, "%016x", beats.incrementAndGet());
        write(client, Bytes.utf8("{\"state\":\"alive\",\"beat\":\"" + beat + "\"}\n"));
    }

    /** Writes that {@code client} will send nothing more, though its ATOMIC queue may not be empty. */
    public void retire(ClientId client) {
        write(client, RETIRED);
    }

    private void write(ClientId client, Bytes state) {
        Written written = objects.put(key(client), state, WriteCondition.ALWAYS);
        serverClock.observe(written.serverMillis());
    }

    /** Removes {@code client}, which was closed and has left nothing to recover. */
    public void remove(ClientId client) {
        objects.delete(key(client));
    }

    /** Whether {@code client} is closed or retired, or its last heartbeat is too old. */
    public boolean isDead(ClientId client) {
        Optional<StoredObject> found;
        try {
            found = objects.get(key(client));
        } catch (CorruptDataException damaged) {
            return true; // if it is alive, its next heartbeat replaces the object
        }
        return found.isEmpty()
                || found.get().body().equals(RETIRED)
                || isStale(found.get().modifiedMillis());
    }

    /**
     * A registered client.
     *
     * @param retired whether it will send nothing more
     * @param modifiedMillis when it was retired, or gave its last heartbeat, by the servers' clock
     */
    public record Known(ClientId client, boolean retired, long modifiedMillis) {}

    /** All registered clients. Objects with other names are ignored. */
    public List<Known> list() {
        return ObjectStores.listAll(objects, prefix).stream()
                .filter(entry -> NAME.matcher(name(entry)).matches())
                .map(this::known)
                .toList();
    }

    private Known known(Listing.Entry entry) {
        // A listing returns sizes and no contents, but the two states differ in length.
        boolean retired = entry.bytes() == RETIRED.length();
        return new Known(ClientId.fromHex(name(entry)), retired, entry.modifiedMillis());
    }

    private String name(Listing.Entry entry) {
        return entry.key().substring(prefix.length());
    }

    /**
     * The clients that may have left something to recover: those whose heartbeat is too old, and those that were
     * retired and not yet removed.
     */
    public List<ClientId> dead() {
        return list().stream()
                .filter(known -> known.retired() || isStale(known.modifiedMillis()))
                .map(Known::client)
                .toList();
    }

    /** The clients that are registered, not retired, and whose heartbeat is young. */
    public Set<ClientId> alive() {
        return list().stream()
                .filter(known -> !known.retired() && !isStale(known.modifiedMillis()))
                .map(Known::client)
                .collect(Collectors.toSet());
    }

    /**
     * Marks a dead client as retired. If it is alive after all, its next heartbeat undoes this.
     *
     * @return since when it is retired, in the servers' milliseconds since 1970; empty when it was removed or gave a
     *     heartbeat just now
     */
    public Optional<Long> adopt(ClientId client) {
        Optional<StoredObject> found;
        try {
            found = objects.get(key(client));
        } catch (CorruptDataException damaged) {
            return Optional.of(
                    objects.put(key(client), RETIRED, WriteCondition.ALWAYS).serverMillis());
        }
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

    /**
     * The client that last opened the store under {@code name}; empty when none has, or when the object is damaged:
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
        return prefix + "name." + name;
    }
}
