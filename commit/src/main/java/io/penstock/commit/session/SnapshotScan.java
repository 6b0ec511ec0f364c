package io.penstock.commit.session;

import io.penstock.commit.protocol.WriteSet;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.TreeId;
import io.penstock.core.page.LeafRun;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * A scan of a snapshot. It remembers the range that it has come through, and goes on after that when the snapshot has
 * moved. For one thread.
 */
final class SnapshotScan implements RecordScan {
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
