package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.Refreshed;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.TimedObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Sees how many reads of another store are under way, and what is read. For one simulation. */
final class WatchedObjects implements ObjectStore {
    private final ObjectStore inner;
    private final Map<String, Integer> reads = new HashMap<>();
    private int underWay;
    private int underWayMax;

    WatchedObjects(ObjectStore inner) {
        this.inner = inner;
    }

    /** Reads so far. */
    int reads() {
        return reads.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Objects that were read. */
    int objects() {
        return reads.size();
    }

    int underWay() {
        return underWay;
    }

    /** The most reads that ever were under way. */
    int underWayMax() {
        return underWayMax;
    }

    private <T> T watched(String key, Supplier<T> read) {
        reads.merge(key, 1, Integer::sum);
        underWay++;
        underWayMax = Math.max(underWayMax, underWay);
        try {
            return read.get();
        } finally {
            underWay--;
        }
    }

    @Override
    public Optional<StoredObject> get(String key) {
        return watched(key, () -> inner.get(key));
    }

    @Override
    public TimedObject getTimed(String key) {
        return watched(key, () -> inner.getTimed(key));
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        return watched(key, () -> inner.getRange(key, offset, length));
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        return watched(key, () -> inner.getIfChanged(key, known));
    }

    @Override
    public Written put(String key, Bytes body, WriteCondition condition) {
        return inner.put(key, body, condition);
    }

    @Override
    public ObjectUpload upload(String key, int partBytes) {
        return inner.upload(key, partBytes);
    }

    @Override
    public void delete(String key) {
        inner.delete(key);
    }

    @Override
    public void deleteAll(Collection<String> keys) {
        inner.deleteAll(keys);
    }

    @Override
    public Listing list(String prefix, String startAfter, int limit) {
        return inner.list(prefix, startAfter, limit);
    }

    @Override
    public void close() {
        inner.close();
    }
}
