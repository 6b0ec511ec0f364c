package io.penstock.core.object.memory;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
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
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Tasks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * An object store in the memory of this process, strongly consistent. Its objects are gone when nothing refers to it.
 * Closing it does nothing: any number of clients share it. Safe for use by many threads.
 */
public final class MemoryObjectStore implements ObjectStore {
    private final Tasks tasks;
    /** The objects by the bytes of their keys, which is the order of listings. */
    private final NavigableMap<Bytes, StoredObject> objects = new ConcurrentSkipListMap<>();
    /** The lock that makes the check of a condition and the write one step. */
    private final MemoryLock lock = new MemoryLock();

    private long writes;

    public MemoryObjectStore(Tasks tasks) {
        this.tasks = tasks;
    }

    @Override
    public Optional<StoredObject> get(String key) {
        StoredObject found = objects.get(bytes(key));
        if (found != null) {
            ObjectRules.wholeBytes(found.body().length(), key);
        }
        return Optional.ofNullable(found);
    }

    @Override
    public TimedObject getTimed(String key) {
        // The time first: an object that comes later is not missed at a later time.
        long now = tasks.nowMillis();
        return new TimedObject(get(key), now);
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        ObjectRules.checkRange(offset, length);
        StoredObject found = objects.get(bytes(key));
        return Optional.ofNullable(found).map(object -> object.range(offset, length));
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        StoredObject found = objects.get(bytes(key));
        if (found == null) {
            return new Refreshed.Missing();
        }
        if (found.version().equals(known)) {
            return new Refreshed.Unchanged();
        }
        ObjectRules.wholeBytes(found.body().length(), key);
        return new Refreshed.Changed(found);
    }

    @Override
    public Written put(String key, Bytes body, WriteCondition condition) {
        return keep(key, body.copy(), condition);
    }

    private Written keep(String key, Bytes kept, WriteCondition condition) {
        Bytes name = bytes(key);
        long now = tasks.nowMillis();
        return lock.with(() -> {
            check(key, objects.get(name), condition);
            ObjectVersion version = new ObjectVersion(Long.toString(++writes));
            objects.put(name, new StoredObject(kept, version, now));
            return new Written(version, now);
        });
    }

    private static void check(String key, @Nullable StoredObject found, WriteCondition condition) {
        if (!condition.holds(found)) {
            throw new ConflictException(
                    "the object was written or removed meanwhile; read it again",
                    "key",
                    key,
                    "version",
                    found == null ? "none" : found.version().tag());
        }
    }

    @Override
    public ObjectUpload upload(String key, int partBytes) {
        ObjectRules.checkUpload(key, partBytes);
        return new MemoryUpload(partBytes, body -> keep(key, body, WriteCondition.ALWAYS));
    }

    @Override
    public void delete(String key) {
        deleteAll(List.of(key));
    }

    @Override
    public void deleteAll(Collection<String> keys) {
        List<Bytes> names = keys.stream().map(MemoryObjectStore::bytes).toList();
        lock.run(() -> names.forEach(objects::remove));
    }

    @Override
    public Listing list(String prefix, String startAfter, int limit) {
        ObjectRules.checkList(prefix, startAfter, limit);
        Bytes start = Bytes.utf8(prefix);
        Bytes after = Bytes.utf8(startAfter);
        NavigableMap<Bytes, StoredObject> rest =
                after.compareTo(start) >= 0 ? objects.tailMap(after, false) : objects.tailMap(start, true);
        List<Listing.Entry> found = new ArrayList<>();
        for (Map.Entry<Bytes, StoredObject> entry : rest.entrySet()) {
            if (!entry.getKey().startsWith(start)) {
                break;
            }
            if (found.size() == limit) {
                return new Listing(found, true);
            }
            StoredObject object = entry.getValue();
            found.add(new Listing.Entry(
                    entry.getKey().toUtf8(), object.body().length(), object.version(), object.modifiedMillis()));
        }
        return new Listing(found, false);
    }

    private static Bytes bytes(String key) {
        return Bytes.wrap(ObjectRules.keyBytes(key));
    }

    @Override
    public void close() {}
}
