package io.penstock.core.pool;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.meter.Observations;
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
import java.util.Optional;
import java.util.function.Supplier;

/** Tells {@link Observations} of the pages that are read from an object store. Safe for use by many threads. */
public final class ObservedPages implements ObjectStore {
    private final ObjectStore inner;
    private final String prefix;
    private final String part;
    private final Observations observations;

    private ObservedPages(ObjectStore inner, String prefix, String part, Observations observations) {
        this.inner = inner;
        this.prefix = prefix;
        this.part = part;
        this.observations = observations;
    }

    /** @param prefix the common prefix of all object keys of the store */
    public static ObjectStore of(ObjectStore inner, String prefix, String part, Observations observations) {
        return observations.isOff() ? inner : new ObservedPages(inner, prefix, part, observations);
    }

    private <T> T fetched(String key, Supplier<T> fetch) {
        Optional<PageId> page = PageNames.at(prefix, key);
        return page.isEmpty() ? fetch.get() : observations.fetch(part, page.get(), fetch);
    }

    @Override
    public Optional<StoredObject> get(String key) {
        return fetched(key, () -> inner.get(key));
    }

    @Override
    public Answered look(String key) {
        return fetched(key, () -> inner.look(key));
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        return fetched(key, () -> inner.getRange(key, offset, length));
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        return fetched(key, () -> inner.getIfChanged(key, known));
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
