package io.penstock.commit.session;

import io.penstock.commit.client.HybridClock;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import io.penstock.core.page.PageImage;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordManager;
import io.penstock.core.record.VersionedRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction sees: its own writes; then the newer, by stamp, of its session's overlay and the page. Safe for
 * use by many threads, each with its own write set.
 */
public final class LayeredReader {
    private final Function<TreeId, RecordManager> trees;
    private final Overlay overlay;
    private final HybridClock clock;

    public LayeredReader(Function<TreeId, RecordManager> trees, Overlay overlay, HybridClock clock) {
        this.trees = trees;
        this.overlay = overlay;
        this.clock = clock;
    }

    /** The payload of a live record. */
    public Optional<Bytes> find(TreeId tree, Bytes key, WriteSet writes) {
        WriteSet.Write own = writes.find(tree, key);
        return Optional.ofNullable(own == null ? find(tree, key) : own.payload());
    }

    /** The payload of a live record as a transaction without writes sees it; null when there is none. */
    public @Nullable Bytes find(TreeId tree, Bytes key) {
        // The overlay first: what is dropped from it between the two reads is on the page by then.
        RecordChange sessions = overlay.find(tree, key);
        PageImage page = trees.apply(tree).leafFor(key);
        int at = page == null ? -1 : page.find(key);
        return page == null || at < 0 ? payload(sessions) : newest(sessions, page, at);
    }

    private @Nullable Bytes newest(@Nullable RecordChange sessions, PageImage page, int at) {
        clock.observe(page.time(at));
        if (sessions != null && page.isNewer(sessions.stamp(), at)) {
            return payload(sessions);
        }
        return page.isTombstone(at) ? null : page.payload(at);
    }

    private static @Nullable Bytes payload(@Nullable RecordChange change) {
        return change instanceof RecordChange.Put put ? put.payload() : null;
    }

    /** As {@link #find} for many keys, in their order: each leaf is read once, several at a time. */
    public List<Optional<Bytes>> findAll(TreeId tree, List<Bytes> keys, WriteSet writes) {
        List<Bytes> unwritten =
                keys.stream().filter(key -> writes.find(tree, key) == null).toList();
        // The overlay first, as above.
        Map<Bytes, RecordChange> sessions = new HashMap<>();
        for (Bytes key : unwritten) {
            RecordChange change = overlay.find(tree, key);
            if (change != null) {
                sessions.put(key, change);
            }
        }
        Iterator<Optional<VersionedRecord>> stored =
                trees.apply(tree).findAll(unwritten).iterator();
        List<Optional<Bytes>> found = new ArrayList<>(keys.size());
        for (Bytes key : keys) {
            WriteSet.Write own = writes.find(tree, key);
            found.add(own == null ? newest(sessions.get(key), stored.next()) : Optional.ofNullable(own.payload()));
        }
        return found;
    }

    /** The payload of the newer of the two, if that is a live record. */
    private Optional<Bytes> newest(@Nullable RecordChange sessions, Optional<VersionedRecord> stored) {
        stored.ifPresent(record -> clock.observe(record.stamp()));
        if (sessions == null || stored.isPresent() && stored.get().stamp().compareTo(sessions.stamp()) >= 0) {
            return stored.map(VersionedRecord::payload);
        }
        return Optional.ofNullable(payload(sessions));
    }

    /** The live records of a range, in order. */
    public LayeredScan scan(TreeId tree, KeyRange range, Direction direction, WriteSet writes) {
        return new LayeredScan(
                writes.iterate(tree, range, direction),
                overlay.iterate(tree, range, direction),
                trees.apply(tree).cursor(range, direction),
                direction,
                clock);
    }
}
