package io.penstock.commit.session;

import io.penstock.commit.index.AddedIndex;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.overflow.ByteRange;
import io.penstock.core.page.LeafRun;
import io.penstock.core.record.Content;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
                snapshot,
                new PageVersions() {
                    @Override
                    public Supplier<Map<Long, ObjectVersion>> begin(TreeId tree, long expected) {
                        return shared.inDomains().versions(tree, expected, snapshot.pagesSinceNanos(tree));
                    }

                    @Override
                    public boolean areKnown(TreeId tree) {
                        return shared.inDomains()
                                .kept(tree, snapshot.pagesSinceNanos(tree))
                                .isPresent();
                    }
                });
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
    public Optional<Content> content(TreeId tree, Bytes key, WriteSet writes) {
        return ofOne(tree, key, writes, () -> layers.content(tree, key, writes));
    }

    @Override
    public Optional<InputStream> open(TreeId tree, Bytes key, ByteRange range, WriteSet writes) {
        return ofOne(tree, key, writes, () -> layers.open(tree, key, range, writes));
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
    public Unchanged unchanged(TreeId tree, KeyRange range, long pages, WriteSet writes) {
        Supplier<Begun> begin = () -> new Begun(layers.unchanged(tree, range, pages, writes), snapshot.position());
        // Before the log's end is asked for, which may take as long; what it tells may make this listing too old.
        var unused = layers.versions().begin(tree, pages);
        Begun begun = atOneState(begin);
        return leaves -> {
            List<KnownLeaf> unchanged = atOneState(() -> {
                // Of another state, the changes besides those on pages may be others.
                Begun now = begun.position == snapshot.position() ? begun : begin.get();
                return now.unchanged.among(leaves);
            });
            unchanged.forEach(leaf -> snapshot.read(tree, leaf.range()));
            return unchanged;
        };
    }

    /** @param position of the snapshot when it began */
    private record Begun(Unchanged unchanged, long position) {}

    @Override
    public boolean isListed(TreeId tree) {
        return layers.isListed(tree);
    }

    @Override
    public void prefetch(TreeId tree, KeyRange range, Direction direction, long leaf) {
        layers.prefetch(tree, range, direction, leaf);
    }

    /** The log has a fence before the first writer that does not know the index any more. */
    @Override
    public OptionalLong enterIndex(TreeId collection) {
        snapshot.begin();
        snapshot.readFences(collection);
        return OptionalLong.of(snapshot.definitionsSinceNanos());
    }

    @Override
    public Set<Bytes> unindexed(AddedIndex index, WriteSet writes) {
        snapshot.reach(index.since());
        snapshot.derives(index.pending(), index.collection());
        Set<Bytes> keys = atOneState(() -> layers.unindexed(index, writes));
        snapshot.readUnindexed(index);
        return keys;
    }

    /**
     * A scan of a snapshot. It remembers the range that it has come through, and goes on after that when the snapshot
     * has moved. For one thread.
     */
    private static final class SnapshotScan implements RecordScan {
        private final Snapshot snapshot;
        private final LayeredReader layers;
        private final TreeId tree;
        private final Direction direction;
        private final WriteSet writes;

        /** The range that is still to be scanned. */
        private KeyRange left;

        private @Nullable RecordScan scan;

        /** The position of the snapshot when {@code scan} began. */
        private long position;

        private long expected;
        private boolean all;

        SnapshotScan(
                Snapshot snapshot,
                LayeredReader layers,
                TreeId tree,
                KeyRange range,
                Direction direction,
                WriteSet writes) {
            this.snapshot = snapshot;
            this.layers = layers;
            this.tree = tree;
            this.left = range;
            this.direction = direction;
            this.writes = writes;
        }

        @Override
        public @Nullable LeafRun advance() {
            snapshot.begin();
            while (true) {
                try {
                    LeafRun run = current().advance();
                    came(run);
                    return run;
                } catch (Snapshot.Moved moved) {
                    close();
                    snapshot.moveOn();
                } catch (ConflictException tooOld) {
                    close();
                    snapshot.beginAgain(tooOld);
                }
            }
        }

        /** The scan of the snapshot as it is now. */
        private RecordScan current() {
            RecordScan seen = scan;
            if (seen != null && position == snapshot.position()) {
                return seen;
            }
            close();
            position = snapshot.position();
            RecordScan fresh = layers.scan(tree, left, direction, writes);
            scan = fresh;
            if (all) {
                fresh.expectAll();
            } else if (expected > 0) {
                fresh.expect(expected);
            }
            return fresh;
        }

        /** Remembers the range up to the last of these records, or, when there are none, to the end. */
        private void came(@Nullable LeafRun run) {
            if (left.isEmpty()) {
                return;
            }
            KeyRange rest = run == null ? new KeyRange(left.from(), left.from()) : behind(run.lastKey());
            KeyRange through = run == null
                    ? left
                    : direction == Direction.ASCENDING
                            ? new KeyRange(left.from(), rest.from())
                            : new KeyRange(run.lastKey(), left.to());
            snapshot.read(tree, through);
            if (run != null) {
                snapshot.sawAlive(tree, run.soonestExpiryMillis());
            }
            left = rest;
        }

        private KeyRange behind(Bytes last) {
            return direction == Direction.ASCENDING
                    ? new KeyRange(KeyRange.after(last), left.to())
                    : new KeyRange(left.from(), last);
        }

        @Override
        public void expect(long records) {
            expected = records;
            if (scan != null) {
                scan.expect(records);
            }
        }

        @Override
        public void expectAll() {
            all = true;
            if (scan != null) {
                scan.expectAll();
            }
        }

        @Override
        public void close() {
            if (scan != null) {
                scan.close();
                scan = null;
            }
        }
    }
}
