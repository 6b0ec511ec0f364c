package io.penstock.commit.domain;

import io.penstock.commit.domain.Tail.Version;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.RecentChanges;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * The tail up to a position. Every read of it throws {@link ConflictException} once this client has dropped a segment
 * after that position: then pages may show newer records without a trace. Safe for many threads.
 */
public final class TailView implements RecentChanges {
    private final Tail tail;
    private final long position;
    private final Stamp newest;
    private final long run;
    private final long sinceNanos;

    TailView(Tail tail, long position, Stamp newest, long run, long sinceNanos) {
        this.tail = tail;
        this.position = position;
        this.newest = newest;
        this.run = run;
        this.sinceNanos = sinceNanos;
    }

    public long position() {
        return position;
    }

    /** The newest stamp of any segment up to the position. */
    public Stamp newest() {
        return newest;
    }

    /**
     * The time, as of {@link io.penstock.core.task.Timekeeper#nanoTime}, before which a definition of a collection must
     * not have been read: a fence may have come since.
     */
    public long definitionsSinceNanos() {
        return sinceNanos;
    }

    /** Whether this client has dropped a segment after the position. */
    public boolean isTooOld() {
        Tail.State now = tail.state();
        return now.run() != run || now.base().position() > position;
    }

    @Override
    public @Nullable RecordChange find(TreeId tree, Bytes key) {
        LogRecord found = seen(tail.changes(tree).get(key));
        requireKept(tree);
        return found == null ? null : found.change();
    }

    @Override
    public Iterator<RecordChange> iterate(TreeId tree, KeyRange range, Direction direction) {
        ConcurrentNavigableMap<Bytes, Version> changes = within(tail.changes(tree), range);
        List<RecordChange> seen = new ArrayList<>();
        for (Version newestOfKey : ordered(changes, direction).values()) {
            LogRecord record = seen(newestOfKey);
            if (record != null) {
                seen.add(record.change());
            }
        }
        requireKept(tree);
        return seen.iterator();
    }

    @Override
    public List<Bytes> writtenBefore(TreeId tree, long epoch) {
        List<Bytes> keys = new ArrayList<>();
        tail.changes(tree).forEach((key, version) -> {
            LogRecord record = seen(version);
            if (record != null && record.epoch() < epoch) {
                keys.add(key);
            }
        });
        requireKept(tree);
        return keys;
    }

    private static ConcurrentNavigableMap<Bytes, Version> within(
            ConcurrentNavigableMap<Bytes, Version> changes, KeyRange range) {
        Bytes to = range.to();
        if (range.isEmpty() && to != null) {
            return changes.subMap(to, true, to, false);
        }
        return to == null ? changes.tailMap(range.from(), true) : changes.subMap(range.from(), true, to, false);
    }

    private static ConcurrentNavigableMap<Bytes, Version> ordered(
            ConcurrentNavigableMap<Bytes, Version> changes, Direction direction) {
        return switch (direction) {
            case ASCENDING -> changes;
            case DESCENDING -> changes.descendingMap();
        };
    }

    private @Nullable LogRecord seen(@Nullable Version newestOfKey) {
        Version version = newestOfKey;
        while (version != null && version.position > position) {
            version = version.older();
        }
        return version == null ? null : version.record;
    }

    /**
     * Fails if the tail no longer reaches back to the snapshot; to be called after a read, which may have missed what
     * was dropped meanwhile.
     */
    private void requireKept(TreeId tree) {
        if (isTooOld()) {
            throw Conflict.tooOld(tree).exception("?");
        }
    }
}
