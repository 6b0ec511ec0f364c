package io.penstock.core.object;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.meter.Observations;
import io.penstock.core.meter.Operation;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.retry.Retries;
import io.penstock.core.retry.Retries.Repeat;
import io.penstock.core.task.Timekeeper;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An object store whose requests are counted and timed, attempt by attempt, and repeated where that is safe. It tells
 * {@link Observations} of the pages that are read. Safe for use by many threads.
 *
 * @param pages the page whose object has a key, if it is one's
 */
record ServedObjectStore(
        ObjectStore inner,
        Retries retries,
        RequestMeters meters,
        Timekeeper clock,
        Observations observations,
        Function<String, Optional<PageId>> pages)
        implements ObjectStore {
    /** The keys that S3 removes or lists in one request. */
    private static final int KEYS_PER_REQUEST = 1_000;

    private <T> T call(Operation operation, Repeat repeat, Supplier<T> request) {
        return retries.call(operation, repeat, () -> meters.measure(operation, clock, request));
    }

    private void run(Operation operation, Runnable request) {
        call(operation, Repeat.ALSO_UNKNOWN, () -> {
            request.run();
            return true;
        });
    }

    private <T> T read(String key, Supplier<T> request, Function<T, Optional<StoredObject>> found) {
        Supplier<T> read = () -> retries.call(Operation.S3_GET, Repeat.ALSO_UNKNOWN, () -> {
            T answer = meters.measure(Operation.S3_GET, clock, request);
            found.apply(answer)
                    .ifPresent(object ->
                            meters.out(Operation.Service.S3, object.body().length()));
            return answer;
        });
        Optional<PageId> page = observations.isOff() ? Optional.empty() : pages.apply(key);
        return page.isEmpty() ? read.get() : observations.fetch(meters.part(), page.get(), read);
    }

    @Override
    public Optional<StoredObject> get(String key) {
        return read(key, () -> inner.get(key), Function.identity());
    }

    @Override
    public TimedObject getTimed(String key) {
        return read(key, () -> inner.getTimed(key), TimedObject::object);
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        return read(key, () -> inner.getRange(key, offset, length), Function.identity());
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        return read(
                key,
                () -> inner.getIfChanged(key, known),
                answer ->
                        answer instanceof Refreshed.Changed changed ? Optional.of(changed.object()) : Optional.empty());
    }

    @Override
    public Written put(String key, Bytes body, WriteCondition condition) {
        Repeat repeat = switch (condition) {
            case WriteCondition.Always always -> Repeat.ALSO_UNKNOWN;
            // A repeated conditional put could meet its own first attempt, and be refused though it took effect. The
            // caller can find out, by the write id in the body.
            case WriteCondition.IfAbsent absent -> Repeat.NOT_DONE;
            case WriteCondition.IfVersion version -> Repeat.NOT_DONE;
        };
        return retries.call(Operation.S3_PUT, repeat, () -> {
            meters.in(Operation.Service.S3, body.length());
            return meters.measure(Operation.S3_PUT, clock, () -> inner.put(key, body, condition));
        });
    }

    @Override
    public ObjectUpload upload(String key, int partBytes) {
        return new Upload(call(Operation.S3_PUT, Repeat.ALSO_UNKNOWN, () -> inner.upload(key, partBytes)));
    }

    /** S3 bills the beginning, each part and the end as puts; an abort is free. */
    private final class Upload implements ObjectUpload {
        private final ObjectUpload upload;

        Upload(ObjectUpload upload) {
            this.upload = upload;
        }

        @Override
        public void part(int number, Bytes part) {
            retries.run(Operation.S3_PUT, () -> {
                meters.in(Operation.Service.S3, part.length());
                meters.measure(Operation.S3_PUT, clock, () -> {
                    upload.part(number, part);
                    return true;
                });
            });
        }

        @Override
        public void complete(int parts) {
            ServedObjectStore.this.run(Operation.S3_PUT, () -> upload.complete(parts));
        }

        @Override
        public void abort() {
            ServedObjectStore.this.run(Operation.S3_DELETE, upload::abort);
        }
    }

    @Override
    public void delete(String key) {
        run(Operation.S3_DELETE, () -> inner.delete(key));
    }

    @Override
    public void deleteAll(Collection<String> keys) {
        int requests = Math.ceilDiv(keys.size(), KEYS_PER_REQUEST);
        retries.run(
                Operation.S3_DELETE,
                () -> meters.measure(Operation.S3_DELETE, requests, clock, () -> {
                    inner.deleteAll(keys);
                    return true;
                }));
    }

    @Override
    public Listing list(String prefix, String startAfter, int limit) {
        Listing listing = call(Operation.S3_LIST, Repeat.ALSO_UNKNOWN, () -> inner.list(prefix, startAfter, limit));
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
