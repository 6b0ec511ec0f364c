package io.penstock;

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
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object store where the pages of one tree are computed, and cannot be written; all other objects are those of the
 * store behind it. Counts reads. For one thread at a time.
 */
final class ComputedPages implements ObjectStore {
    private static final ObjectVersion VERSION = new ObjectVersion("computed");

    private final ObjectStore others;
    private @Nullable ComputedTree tree;
    private String folder = "";
    private int pageReads;
    private int otherReads;

    ComputedPages(ObjectStore others) {
        this.others = others;
    }

    /** @param prefix the common beginning of the keys of all the store's objects */
    void place(ComputedTree placed, String prefix) {
        tree = placed;
        folder = prefix + "pages/" + placed.id().hex() + "/";
    }

    /** The number of requests of all kinds for pages of the tree. */
    int pageReads() {
        return pageReads;
    }

    /** The number of requests for other objects. */
    int otherReads() {
        return otherReads;
    }

    private boolean isComputed(String key) {
        return tree != null && key.startsWith(folder);
    }

    private Optional<StoredObject> computed(String key) {
        pageReads++;
        return tree.page(HexFormat.fromHexDigitsToLong(key.substring(folder.length())))
                .map(page -> new StoredObject(page.bytes(), VERSION, 0));
    }

    @Override
    public Optional<StoredObject> get(String key) {
        if (isComputed(key)) {
            return computed(key);
        }
        otherReads++;
        return others.get(key);
    }

    @Override
    public TimedObject getTimed(String key) {
        if (isComputed(key)) {
            throw new UnsupportedOperationException("nobody asks for the time with a computed page");
        }
        otherReads++;
        return others.getTimed(key);
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        if (isComputed(key)) {
            throw new UnsupportedOperationException("no part of a computed page is read in these tests");
        }
        otherReads++;
        return others.getRange(key, offset, length);
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        if (isComputed(key)) {
            return computed(key).isPresent() ? new Refreshed.Unchanged() : new Refreshed.Missing();
        }
        otherReads++;
        return others.getIfChanged(key, known);
    }

    @Override
    public Written put(String key, Bytes body, WriteCondition condition) {
        requireOther(key);
        return others.put(key, body, condition);
    }

    private void requireOther(String key) {
        if (isComputed(key)) {
            throw new UnsupportedOperationException("a computed page cannot be changed");
        }
    }

    @Override
    public ObjectUpload upload(String key, int partBytes) {
        requireOther(key);
        return others.upload(key, partBytes);
    }

    @Override
    public void delete(String key) {
        requireOther(key);
        others.delete(key);
    }

    @Override
    public void deleteAll(Collection<String> keys) {
        keys.forEach(this::requireOther);
        others.deleteAll(keys);
    }

    @Override
    public Listing list(String prefix, String startAfter, int limit) {
        return others.list(prefix, startAfter, limit);
    }

    @Override
    public void close() {
        others.close();
    }
}
