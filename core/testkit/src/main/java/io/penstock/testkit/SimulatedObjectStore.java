package io.penstock.testkit;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectRules;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.Refreshed;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.TimedObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import io.penstock.core.object.memory.MemoryUpload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One client's view of the simulated object store. */
final class SimulatedObjectStore implements ObjectStore {
    /** The most entries on one page of a listing of S3, whatever was asked for. */
    private static final int LIST_MAX = 1_000;

    private final SimulatedCloud cloud;
    private final SimulatedClient client;
    private final Call call;

    SimulatedObjectStore(SimulatedCloud cloud, SimulatedClient client) {
        this.cloud = cloud;
        this.client = client;
        this.call = new Call(cloud, client);
    }

    @Override
    public Optional<StoredObject> get(String key) {
        ObjectRules.checkKey(key);
        return call.read(
                "get",
                key,
                found -> found.isEmpty() ? CloudCall.MISS : CloudCall.GET,
                () -> whole(key),
                found -> found.map(o -> o.body().length()).orElse(0));
    }

    @Override
    public TimedObject getTimed(String key) {
        ObjectRules.checkKey(key);
        return call.read(
                "get",
                key,
                found -> found.object().isEmpty() ? CloudCall.MISS : CloudCall.GET,
                () -> new TimedObject(whole(key), client.serverMillis()),
                found -> found.object().map(o -> o.body().length()).orElse(0));
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        ObjectRules.checkKey(key);
        ObjectRules.checkRange(offset, length);
        return call.read(
                "get",
                key,
                found -> found.isEmpty() ? CloudCall.MISS : CloudCall.RANGE,
                () -> seen(key).map(object -> object.range(offset, length)),
                found -> found.map(o -> o.body().length()).orElse(0));
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        ObjectRules.checkKey(key);
        return call.read(
                "get",
                key,
                answer -> answer instanceof Refreshed.Missing ? CloudCall.MISS : CloudCall.GET,
                () -> refresh(key, known),
                SimulatedObjectStore::bodyBytes);
    }

    private Refreshed refresh(String key, ObjectVersion known) {
        Optional<StoredObject> found = whole(key);
        if (found.isEmpty()) {
            return new Refreshed.Missing();
        }
        return found.get().version().equals(known) ? new Refreshed.Unchanged() : new Refreshed.Changed(found.get());
    }

    private static long bodyBytes(Refreshed refreshed) {
        return refreshed instanceof Refreshed.Changed changed
                ? changed.object().body().length()
                : 0;
    }

    private Optional<StoredObject> whole(String key) {
        Optional<StoredObject> found = seen(key);
        found.ifPresent(object -> ObjectRules.wholeBytes(object.body().length(), key));
        return found;
    }

    private Optional<StoredObject> seen(String key) {
        ObjectHistory history = cloud.objects.get(key);
        if (history == null) {
            return Optional.empty();
        }
        boolean stale = !cloud.world().staleFor().isZero();
        return history.read(cloud.simulation.nowNanos(), stale, cloud.faults);
    }

    @Override
    public Written put(String key, Bytes body, WriteCondition condition) {
        ObjectRules.checkKey(key);
        // The array may be a buffer that the caller fills again.
        Bytes content = body.copy();
        cloud.puts.merge(key, 1, Integer::sum);
        try {
            return call.write("put", key, kind(condition), content.length(), () -> putNow(key, content, condition));
        } finally {
            cloud.puts.computeIfPresent(key, (k, puts) -> puts == 1 ? null : puts - 1);
        }
    }

    private static CloudCall kind(WriteCondition condition) {
        return switch (condition) {
            case WriteCondition.Always always -> CloudCall.PUT;
            case WriteCondition.IfAbsent absent -> CloudCall.PUT_ABSENT;
            case WriteCondition.IfVersion version -> CloudCall.PUT_MATCH;
        };
    }

    private Written putNow(String key, Bytes content, WriteCondition condition) {
        boolean conditional = !(condition instanceof WriteCondition.Always);
        if (conditional && collides(key)) {
            throw new ConflictException("another write of the object is on the way; read it again", "key", key);
        }
        if (!condition.holds(newest(key))) {
            throw new ConflictException("the object is not what the write expected; read it again", "key", key);
        }
        ObjectVersion version = new ObjectVersion(cloud.drawName());
        write(key, new StoredObject(content, version, client.serverMillis()));
        return new Written(version, client.serverMillis());
    }

    /** Whether S3 refuses to decide, because of another put. */
    private boolean collides(String key) {
        boolean alone = cloud.puts.getOrDefault(key, 0) <= 1;
        return !alone && cloud.world().unavailable() > 0 && cloud.faults.nextInt(4) == 0;
    }

    private @Nullable StoredObject newest(String key) {
        ObjectHistory history = cloud.objects.get(key);
        return history == null ? null : history.newest();
    }

    private void write(String key, @Nullable StoredObject content) {
        long lag = cloud.world().staleFor().toNanos();
        long now = cloud.simulation.nowNanos();
        long hiddenUntil = now + (lag == 0 ? 0 : cloud.faults.nextLong(lag));
        cloud.objects.computeIfAbsent(key, k -> new ObjectHistory()).write(content, now, hiddenUntil);
        if (content == null && lag == 0) {
            cloud.objects.remove(key);
        }
    }

    @Override
    public ObjectUpload upload(String key, int partBytes) {
        ObjectRules.checkUpload(key, partBytes);
        return call.write("put", key, CloudCall.PUT, 0, () -> new Upload(key, partBytes));
    }

    /** Parts that are invisible until they are complete. */
    private final class Upload implements ObjectUpload {
        private final String key;
        private final MemoryUpload parts;

        Upload(String key, int partBytes) {
            this.key = key;
            this.parts = new MemoryUpload(partBytes, body -> putNow(key, body, WriteCondition.ALWAYS));
        }

        @Override
        public void part(int number, Bytes part) {
            // The array may be a buffer that the caller fills again.
            Bytes content = part.copy();
            send("put", CloudCall.PUT, content.length(), () -> parts.part(number, content));
        }

        @Override
        public void complete(int count) {
            send("put", CloudCall.PUT, 0, () -> parts.complete(count));
        }

        @Override
        public void abort() {
            send("delete", CloudCall.REMOVE, 0, parts::abort);
        }

        private void send(String what, CloudCall kind, long bytes, Runnable effect) {
            call.write(what, key, kind, bytes, () -> {
                effect.run();
                return true;
            });
        }
    }

    @Override
    public void delete(String key) {
        deleteAll(List.of(key));
    }

    @Override
    public void deleteAll(Collection<String> keys) {
        List<String> doomed = List.copyOf(keys);
        doomed.forEach(ObjectRules::checkKey);
        if (!doomed.isEmpty()) {
            call.write("delete", doomed.getFirst(), CloudCall.REMOVE, 0, () -> deleteNow(doomed));
        }
    }

    private boolean deleteNow(List<String> keys) {
        boolean cutShort = keys.size() > 1 && cloud.faults.chance(cloud.world().unavailable());
        int count = cutShort ? cloud.faults.nextInt(keys.size()) : keys.size();
        for (String key : keys.subList(0, count)) {
            if (newest(key) != null) {
                write(key, null);
            }
        }
        if (cutShort) {
            throw new OutcomeUnknownException("some objects were not removed; repeat the call", "keys", keys.size());
        }
        return true;
    }

    @Override
    public Listing list(String prefix, String startAfter, int limit) {
        ObjectRules.checkList(prefix, startAfter, limit);
        int atMost = Math.min(limit, LIST_MAX);
        return call.read("list", prefix, page -> CloudCall.LIST, () -> scan(prefix, startAfter, atMost), listing -> 0);
    }

    private Listing scan(String prefix, String startAfter, int limit) {
        List<Listing.Entry> entries = new ArrayList<>();
        String from = SimulatedCloud.byUtf8(startAfter, prefix) > 0 ? startAfter : prefix;
        for (Map.Entry<String, ObjectHistory> entry :
                cloud.objects.tailMap(from).entrySet()) {
            String key = entry.getKey();
            if (!key.startsWith(prefix)) {
                break;
            }
            Optional<StoredObject> seen = key.equals(startAfter) ? Optional.empty() : seen(key);
            if (seen.isEmpty()) {
                continue;
            }
            if (entries.size() == limit) {
                return new Listing(entries, true);
            }
            StoredObject object = seen.get();
            entries.add(new Listing.Entry(key, object.body().length(), object.version(), object.modifiedMillis()));
        }
        return new Listing(entries, false);
    }

    @Override
    public void close() {}
}
