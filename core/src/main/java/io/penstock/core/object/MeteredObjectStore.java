package io.penstock.core.object;

import io.penstock.core.Bytes;
import io.penstock.core.meter.Operation;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.task.Timekeeper;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;

/** Counts and times the requests of an object store. Safe for use by many threads. */
final class MeteredObjectStore implements ObjectStore {
    /** The keys that S3 removes or lists in one request. */
    private static final int KEYS_PER_REQUEST = 1_000;

    private final ObjectStore inner;
    private final RequestMeters meters;
    private final Timekeeper clock;

    MeteredObjectStore(ObjectStore inner, RequestMeters meters, Timekeeper clock) {
        this.inner = inner;
        this.meters = meters;
        this.clock = clock;
    }

    @Override
    public Optional<StoredObject> get(String key) {
        return counted(() -> inner.get(key));
    }

    @Override
    public Answered look(String key) {
        Answered answered = meters.measure(Operation.S3_GET, clock, () -> inner.look(key));
        answered.object().ifPresent(this::countBody);
        return answered;
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        return counted(() -> inner.getRange(key, offset, length));
    }

    private Optional<StoredObject> counted(Supplier<Optional<StoredObject>> read) {
        Optional<StoredObject> found = meters.measure(Operation.S3_GET, clock, read);
        found.ifPresent(this::countBody);
        return found;
    }

    private void countBody(StoredObject object) {
        meters.out(Operation.Service.S3, object.body().length());
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        Refreshed refreshed = meters.measure(Operation.S3_GET, clock, () -> inner.getIfChanged(key, known));
        if (refreshed instanceof Refreshed.Changed changed) {
            countBody(changed.object());
        }
        return refreshed;
    }

    @Override
    public Written put(String key, Bytes body, WriteCondition condition) {
        meters.in(Operation.Service.S3, body.length());
        return meters.measure(Operation.S3_PUT, clock, () -> inner.put(key, body, condition));
    }

    @Override
    public ObjectUpload upload(String key, int partBytes) {
        return new Upload(meters.measure(Operation.S3_PUT, clock, () -> inner.upload(key, partBytes)));
    }

    /** S3 bills the beginning, each part and the end as puts; an abort is free. */
    private final class Upload implements ObjectUpload {
        private final ObjectUpload upload;

        Upload(ObjectUpload upload) {
            this.upload = upload;
        }

        @Override
        public void part(int number, Bytes part) {
            meters.in(Operation.Service.S3, part.length());
            measured(Operation.S3_PUT, () -> upload.part(number, part));
        }

        @Override
        public void complete(int parts) {
            measured(Operation.S3_PUT, () -> upload.complete(parts));
        }

        @Override
        public void abort() {
            measured(Operation.S3_DELETE, upload::abort);
        }
    }

    private void measured(Operation operation, Runnable call) {
        meters.measure(operation, clock, () -> {
            call.run();
            return true;
        });
    }

    @Override
    public void delete(String key) {
        measured(Operation.S3_DELETE, () -> inner.delete(key));
    }

    @Override
    public void deleteAll(Collection<String> keys) {
        meters.measure(Operation.S3_DELETE, Math.ceilDiv(keys.size(), KEYS_PER_REQUEST), clock, () -> {
            inner.deleteAll(keys);
            return true;
        });
    }

    @Override
    public Listing list(String prefix, String startAfter, int limit) {
        Listing listing = meters.measure(Operation.S3_LIST, clock, () -> inner.list(prefix, startAfter, limit));
        int further = Math.ceilDiv(listing.entries().size(), KEYS_PER_REQUEST) - 1;
        if (further > 0) {
            meters.counted(Operation.S3_LIST, further);
        }
        return listing;
    }

    @Override
    public void close() {
        inner.close();
    }
}
