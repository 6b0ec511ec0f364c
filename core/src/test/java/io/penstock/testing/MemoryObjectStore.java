package io.penstock.testing;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.Refreshed;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.TimedObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An object store in memory, with real compare-and-set and strong consistency. A hook sees every call before and after
 * its effect, and may do other work or throw. Thread-safe; no lock is held while a hook runs.
 */
public class MemoryObjectStore implements ObjectStore {
    /** The kinds of calls. */
    public enum Call {
        GET,
        GET_IF_CHANGED,
        PUT,
        DELETE,
        LIST
    }

    /**
     * An observer of calls. Its exceptions go to the caller; one that is thrown after a put simulates a lost answer.
     */
    public interface Hook {
        default void before(Call call, String key) {}

        default void after(Call call, String key) {}
    }

    private static final Hook NO_HOOK = new Hook() {};

    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<String, StoredObject> objects = new TreeMap<>();
    private final Map<Call, Integer> counts = new EnumMap<>(Call.class);
    private volatile Hook hook = NO_HOOK;
    private long writes;

    public void setHook(Hook next) {
        hook = next;
    }

    public void clearHook() {
        hook = NO_HOOK;
    }

    /** The number of calls, including refused ones. */
    public int count(Call call) {
        return locked(() -> counts.getOrDefault(call, 0));
    }

    public int size() {
        return locked(objects::size);
    }

    /** An independent store with the same objects. */
    public MemoryObjectStore copy() {
        MemoryObjectStore copy = new MemoryObjectStore();
        locked(() -> {
            copy.objects.putAll(objects);
            copy.writes = writes;
            return 0;
        });
        return copy;
    }

    private interface Body<T> {
        T run();
    }

    private <T> T locked(Body<T> body) {
        lock.lock();
        try {
            return body.run();
        } finally {
            lock.unlock();
        }
    }

    private <T> T call(Call call, String key, Body<T> body) {
        Hook seen = hook;
        seen.before(call, key);
        T result = locked(() -> {
            counts.merge(call, 1, Integer::sum);
            return body.run();
        });
        seen.after(call, key);
        return result;
    }

    @Override
    public Optional<StoredObject> get(String key) {
        return call(Call.GET, key, () -> Optional.ofNullable(objects.get(key)));
    }

    @Override
    public TimedObject getTimed(String key) {
        return call(Call.GET, key, () -> new TimedObject(Optional.ofNullable(objects.get(key)), writes));
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        return get(key).map(object -> {
            Bytes body = object.body();
            int from = (int) Math.min(offset, body.length());
            int to = (int) Math.min((long) from + length, body.length());
            return new StoredObject(body.slice(from, to), object.version(), object.modifiedMillis());
        });
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        return call(Call.GET_IF_CHANGED, key, () -> {
            StoredObject object = objects.get(key);
            if (object == null) {
                return new Refreshed.Missing();
            }
            return object.version().equals(known) ? new Refreshed.Unchanged() : new Refreshed.Changed(object);
        });
    }

    @Override
    public Written put(String key, Bytes body, WriteCondition condition) {
        return call(Call.PUT, key, () -> {
            StoredObject old = objects.get(key);
            boolean holds = switch (condition) {
                case WriteCondition.Always always -> true;
                case WriteCondition.IfAbsent ifAbsent -> old == null;
                case WriteCondition.IfVersion wanted ->
                    old != null && old.version().equals(wanted.version());
            };
            if (!holds) {
                throw new ConflictException("the write condition does not hold", "key", key);
            }
            ObjectVersion version = new ObjectVersion("v" + ++writes);
            objects.put(key, new StoredObject(body.copy(), version, writes));
            return new Written(version, writes);
        });
    }

    @Override
    public ObjectUpload upload(String key, int partBytes) {
        TreeMap<Integer, Bytes> sent = new TreeMap<>();
        return new ObjectUpload() {
            private boolean ended;

            @Override
            public void part(int number, Bytes part) {
                if (ended) {
                    throw new InvalidRequestException("there is no such upload"); // as S3 says
                }
                call(Call.PUT, key, () -> sent.put(number, part.copy()));
            }

            @Override
            public void complete(int parts) {
                ended = true;
                put(key, sent.values().stream().reduce(Bytes.EMPTY, Bytes::concat), WriteCondition.ALWAYS);
            }

            @Override
            public void abort() {
                sent.clear();
            }
        };
    }

    @Override
    public void delete(String key) {
        call(Call.DELETE, key, () -> objects.remove(key) != null);
    }

    @Override
    public void deleteAll(Collection<String> keys) {
        keys.forEach(this::delete);
    }

    @Override
    public Listing list(String prefix, String startAfter, int limit) {
        return call(Call.LIST, prefix, () -> {
            List<Listing.Entry> found = new ArrayList<>();
            boolean more = false;
            for (Map.Entry<String, StoredObject> entry : objects.tailMap(prefix).entrySet()) {
                String key = entry.getKey();
                if (!key.startsWith(prefix)) {
                    break;
                }
                if (key.compareTo(startAfter) <= 0) {
                    continue;
                }
                if (found.size() == limit) {
                    more = true;
                    break;
                }
                StoredObject object = entry.getValue();
                found.add(new Listing.Entry(key, object.body().length(), object.version(), object.modifiedMillis()));
            }
            return new Listing(found, more);
        });
    }

    @Override
    public void close() {}
}
