package io.penstock.core.object;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.meter.Observations;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Tells {@link Observations} of the pages that are read from an object store. Safe for use by many threads. */
final class ObservedObjectStore implements ObjectStore {
    private final ObjectStore inner;
    private final Function<String, Optional<PageId>> pages;
    private final String part;
    private final Observations observations;

    ObservedObjectStore(
            ObjectStore inner, Function<String, Optional<PageId>> pages, String part, Observations observations) {
        this.inner = inner;
        this.pages = pages;
        this.part = part;
        this.observations = observations;
    }

    private <T> T fetched(String key, Supplier<T> fetch) {
        Optional<PageId> page = pages.apply(key);
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
