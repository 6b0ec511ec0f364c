package io.penstock.testing;

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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** A fake object store that fails as configured, then answers every call with the same small object. For one thread. */
public final class ScriptedObjectStore implements ObjectStore {
    public static final StoredObject OBJECT = new StoredObject(Bytes.utf8("12345"), new ObjectVersion("v"), 1_000);

    private final Deque<RuntimeException> failures = new ArrayDeque<>();
    private final List<String> calls = new ArrayList<>();

    /** Makes the next calls fail with these exceptions, one each. */
    public ScriptedObjectStore failing(RuntimeException... next) {
        Collections.addAll(failures, next);
        return this;
    }

    /** The names of the methods called so far. */
    public List<String> calls() {
        return calls;
    }

    private void called(String name) {
        calls.add(name);
        RuntimeException failure = failures.poll();
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public Optional<StoredObject> get(String key) {
        called("get");
        return Optional.of(OBJECT);
    }

    @Override
    public TimedObject getTimed(String key) {
        called("look");
        return new TimedObject(Optional.of(OBJECT), OBJECT.modifiedMillis());
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        called("getRange");
        return Optional.of(OBJECT);
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        called("getIfChanged");
        return known.equals(OBJECT.version()) ? new Refreshed.Unchanged() : new Refreshed.Changed(OBJECT);
    }

    @Override
    public Written put(String key, Bytes body, WriteCondition condition) {
        called("put");
        return new Written(OBJECT.version(), OBJECT.modifiedMillis());
    }

    @Override
    public ObjectUpload upload(String key, int partBytes) {
        called("upload");
        return new ObjectUpload() {
            @Override
            public void part(int number, Bytes part) {
                called("part");
            }

            @Override
            public void complete(int parts) {
                called("complete");
            }

            @Override
            public void abort() {
                called("abort");
            }
        };
    }

    @Override
    public void delete(String key) {
        called("delete");
    }

    @Override
    public void deleteAll(Collection<String> keys) {
        called("deleteAll");
    }

    /** As many entries as asked for. */
    @Override
    public Listing list(String prefix, String startAfter, int limit) {
        called("list");
        Listing.Entry entry = new Listing.Entry(prefix, 5, OBJECT.version(), OBJECT.modifiedMillis());
        return new Listing(Collections.nCopies(limit, entry), false);
    }

    @Override
    public void close() {
        called("close");
    }
}
