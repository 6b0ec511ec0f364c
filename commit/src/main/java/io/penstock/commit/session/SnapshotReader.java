package io.penstock.commit.session;

import io.penstock.commit.index.AddedIndex;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.TreeId;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The reader of a snapshot: what it has read is remembered once it was read, and read again where the snapshot had to
 * move meanwhile. For one thread.
 */
public final class SnapshotReader implements RecordReader {
    private final Snapshot snapshot;
    private final LayeredReader layers;

    public SnapshotReader(Snapshot snapshot, SessionState.Shared shared) {
        this.snapshot = snapshot;
        this.layers = new LayeredReader(
                tree -> shared.inDomains().records(tree, snapshot.pagesSinceNanos(tree)),
                shared.overflows(),
                snapshot,
                snapshot,
                snapshot);
    }

    /** Reads, and again as long as pages are found to be newer than the snapshot, which moves on then. */
    private <T> T atOneState(Supplier<T> read) {
        snapshot.begin();
        while (true) {
            try {
                return read.get();
            } catch (Snapshot.Moved moved) {
                snapshot.moveOn();
            } catch (ConflictException tooOld) {
                snapshot.beginAgain(tooOld);
            }
        }
    }

    @Override
    public Optional<Bytes> find(TreeId tree, Bytes key, WriteSet writes) {
        return ofOne(tree, key, writes, () -> layers.find(tree, key, writes));
    }

    @Override
    public Optional<InputStream> open(TreeId tree, Bytes key, WriteSet writes) {
        return ofOne(tree, key, writes, () -> layers.open(tree, key, writes));
    }

    @Override
    public Optional<Bytes> large(TreeId tree, Bytes key, Bytes reference, WriteSet writes) {
        return ofOne(tree, key, writes, () -> layers.large(tree, key, reference, writes));
    }

    private <T> T ofOne(TreeId tree, Bytes key, WriteSet writes, Supplier<T> read) {
        T found = atOneState(read);
        remember(tree, key, writes);
        return found;
    }

    /** Remembers the read of a key, unless the transaction has written it itself. */
    private void remember(TreeId tree, Bytes key, WriteSet writes) {
        if (writes.find(tree, key) == null) {
            snapshot.read(tree, key);
        }
    }

    @Override
    public List<Supplier<Optional<Bytes>>> findAll(TreeId tree, List<Bytes> keys, WriteSet writes) {
        if (keys.isEmpty()) {
            return List.of();
        }
        List<Supplier<Optional<Bytes>>> found = atOneState(() -> layers.findAll(tree, keys, writes));
        keys.forEach(key -> remember(tree, key, writes));
        List<Supplier<Optional<Bytes>>> all = new ArrayList<>(found.size());
        found.forEach(each -> all.add(() -> atOneState(each)));
        return all;
    }

    @Override
    public RecordScan scan(TreeId tree, KeyRange range, Direction direction, WriteSet writes) {
        return new SnapshotScan(snapshot, layers, tree, range, direction, writes);
    }

    @Override
    public Set<Bytes> unindexed(AddedIndex index, WriteSet writes) {
        snapshot.reach(index.since());
        snapshot.derives(index.pending(), index.collection());
        Set<Bytes> keys = atOneState(() -> layers.unindexed(index, writes));
        snapshot.readUnindexed(index);
        return keys;
    }
}
