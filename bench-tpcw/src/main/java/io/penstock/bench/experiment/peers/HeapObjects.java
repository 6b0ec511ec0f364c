package io.penstock.bench.experiment.peers;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.object.Answered;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.Refreshed;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Objects in a map: whole reads and conditional puts, at no cost, so that only Penstock's own work is measured. */
final class HeapObjects implements ObjectStore {
    private final Map<String, StoredObject> objects = new ConcurrentHashMap<>();
    private final AtomicLong versions = new AtomicLong();

    @Override
    public Optional<StoredObject> get(String key) {
        return Optional.ofNullable(objects.get(key));
    }

    @Override
    public Answered look(String key) {
        return new Answered(get(key), 0);
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        StoredObject found = objects.get(key);
        if (found == null) {
            return new Refreshed.Missing();
        }
        return found.version().equals(known) ? new Refreshed.Unchanged() : new Refreshed.Changed(found);
    }

    @Override
    public Written put(String key, Bytes body, WriteCondition condition) {
        ObjectVersion version = new ObjectVersion(Long.toString(versions.incrementAndGet()));
        objects.compute(key, (k, there) -> {
            boolean holds = switch (condition) {
                case WriteCondition.Always() -> true;
                case WriteCondition.IfAbsent() -> there == null;
                case WriteCondition.IfVersion(ObjectVersion wanted) ->
                    there != null && there.version().equals(wanted);
            };
            if (!holds) {
                throw new ConflictException("another write was first", "key", key);
            }
            return new StoredObject(body, version, 0);
        });
        return new Written(version, 0);
    }

    @Override
    public void delete(String key) {
        objects.remove(key);
    }

    @Override
    public void deleteAll(Collection<String> keys) {
        keys.forEach(objects::remove);
    }

    @Override
    public Listing list(String prefix, String startAfter, int limit) {
        List<Listing.Entry> found = objects.entrySet().stream()
                .filter(object ->
                        object.getKey().startsWith(prefix) && object.getKey().compareTo(startAfter) > 0)
                .sorted(Map.Entry.comparingByKey())
                .limit(limit)
                .map(object -> new Listing.Entry(
                        object.getKey(),
                        object.getValue().body().length(),
                        object.getValue().version(),
                        0))
                .toList();
        return new Listing(found, found.size() == limit);
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        throw new UnsupportedOperationException("pages are read whole");
    }

    @Override
    public ObjectUpload upload(String key, int partBytes) {
        throw new UnsupportedOperationException("nothing is uploaded");
    }

    @Override
    public void close() {}
}
