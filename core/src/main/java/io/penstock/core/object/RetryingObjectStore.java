package io.penstock.core.object;

import io.penstock.core.Bytes;
import io.penstock.core.meter.Operation;
import io.penstock.core.retry.Retries;
import io.penstock.core.retry.Retries.Repeat;
import java.util.Collection;
import java.util.Optional;

/** Repeats calls of an object store that are safe to repeat. Safe for use by many threads. */
final class RetryingObjectStore implements ObjectStore {
    private final ObjectStore inner;
    private final Retries retries;

    RetryingObjectStore(ObjectStore inner, Retries retries) {
        this.inner = inner;
        this.retries = retries;
    }

    @Override
    public Optional<StoredObject> get(String key) {
        return retries.call(Operation.S3_GET, Repeat.ALSO_UNKNOWN, () -> inner.get(key));
    }

    @Override
    public Answered look(String key) {
        return retries.call(Operation.S3_GET, Repeat.ALSO_UNKNOWN, () -> inner.look(key));
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        return retries.call(Operation.S3_GET, Repeat.ALSO_UNKNOWN, () -> inner.getRange(key, offset, length));
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        return retries.call(Operation.S3_GET, Repeat.ALSO_UNKNOWN, () -> inner.getIfChanged(key, known));
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
        return retries.call(Operation.S3_PUT, repeat, () -> inner.put(key, body, condition));
    }

    @Override
    public ObjectUpload upload(String key, int partBytes) {
        return new Upload(
                retries.call(Operation.S3_PUT, Repeat.ALSO_UNKNOWN, () -> inner.upload(key, partBytes)), retries);
    }

    private record Upload(ObjectUpload inner, Retries retries) implements ObjectUpload {
        @Override
        public void part(int number, Bytes part) {
            retries.run(Operation.S3_PUT, () -> inner.part(number, part));
        }

        @Override
        public void complete(int parts) {
            retries.run(Operation.S3_PUT, () -> inner.complete(parts));
        }

        @Override
        public void abort() {
            retries.run(Operation.S3_DELETE, inner::abort);
        }
    }

    @Override
    public void delete(String key) {
        retries.run(Operation.S3_DELETE, () -> inner.delete(key));
    }

    @Override
    public void deleteAll(Collection<String> keys) {
        retries.run(Operation.S3_DELETE, () -> inner.deleteAll(keys));
    }

    @Override
    public Listing list(String prefix, String startAfter, int limit) {
        return retries.call(Operation.S3_LIST, Repeat.ALSO_UNKNOWN, () -> inner.list(prefix, startAfter, limit));
    }

    @Override
    public void close() {
        inner.close();
    }
}
