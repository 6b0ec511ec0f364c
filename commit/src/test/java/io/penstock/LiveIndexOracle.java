package io.penstock;

import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.commit.engine.Engine;
import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.memory.Workspace;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordCursor;
import io.penstock.report.IndexReport;
import io.penstock.report.ScrubReport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares every index of a store at rest with its collection: as pages, as scans, and as the index's own check says.
 */
final class LiveIndexOracle {
    private final RecordCollection<String, String> words;
    private final boolean atomic;
    private final Set<String> exempt;
    private final Map<String, Stamp> acknowledged;
    private final List<String> broken = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();

    /** @param exempt keys of records that may lack entries, or entries that may lack records */
    LiveIndexOracle(
            RecordCollection<String, String> words,
            boolean atomic,
            Set<String> exempt,
            Map<String, Stamp> acknowledged) {
        this.words = words;
        this.atomic = atomic;
        this.exempt = exempt;
        this.acknowledged = acknowledged;
    }

    Set<String> seen() {
        return seen;
    }

    List<String> violations(Penstock store) {
        Map<String, FinalState.Found> records = FinalState.of(words);
        acknowledged.forEach((key, stamp) -> {
            FinalState.Found found = records.get(key);
            if (found == null || stamp.isAfter(found.stamp())) {
                broken.add("acknowledged " + key + " at " + stamp + " but found " + found);
            }
        });
        words.indexes().forEach(index -> compare(index, records));
        words.indexes().forEach(index -> scrubAndCompare(index, records));
        StoreProbe.faults(store).forEach(broken::add);
        return broken;
    }

    private void compare(Index<?, String, String> index, Map<String, FinalState.Found> records) {
        IndexDefinition stored = index.in(index.ready(OptionalLong.empty()));
        Set<Bytes> found = live(stored.treeId());
        Set<Bytes> pending = stored.pendingTree().map(this::live).orElse(Set.of());
        if (!pending.isEmpty()) {
            seen.add("pending in the end");
        }
        entries(index, records).forEach((entry, key) -> {
            Bytes primary = words.keys().encode(key);
            if (!found.contains(entry) && !pending.contains(primary) && !exempt.contains(key)) {
                broken.add(index.name() + " has no entry of " + key + " " + records.get(key));
            }
        });
        compareScan(index, records);
        IndexReport report = index.collection().store().admin().check(index);
        if (exempt.isEmpty() && report.missing() > 0) {
            broken.add(index.name() + " " + report);
        }
        if (report.leftOver() > 0) {
            seen.add("left-over in the end");
        }
    }

    /** After a scrub nothing is pending, and what is there is what must be. */
    private void scrubAndCompare(Index<?, String, String> index, Map<String, FinalState.Found> records) {
        ScrubReport scrubbed = index.collection().store().admin().scrub(index);
        if (atomic && scrubbed.left() > 0) {
            broken.add(index.name() + " after quiescence " + scrubbed);
        }
        compareScan(index, records);
        IndexDefinition stored = index.in(index.ready(OptionalLong.empty()));
        Set<Bytes> wanted = entries(index, records).keySet();
        if (stored.pendingTree().map(this::live).orElse(Set.of()).size() > 0) {
            broken.add(index.name() + " has something pending after a scrub");
        }
        Set<Bytes> found = live(stored.treeId());
        if (exempt.isEmpty() && !found.equals(wanted)) {
            broken.add(index.name() + " has " + found.size() + " entries after a scrub, not " + wanted.size());
        }
        IndexReport report = index.collection().store().admin().check(index);
        IndexReport expected = new IndexReport(live(words.tree()).size(), wanted.size(), 0, 0, 0, report.duplicates());
        if (exempt.isEmpty() && !report.equals(expected)) {
            broken.add(index.name() + " " + report + " after a scrub, not " + expected);
        }
    }

    private <I> void compareScan(Index<I, String, String> index, Map<String, FinalState.Found> records) {
        List<String> wanted = new ArrayList<>();
        entries(index, records).values().forEach(wanted::add);
        List<String> found = new ArrayList<>();
        try (Scan<Entry<String, String>> scan = index.scan(KeySpan.all())) {
            scan.forEachRemaining(entry -> found.add(entry.key()));
        }
        wanted.removeAll(exempt);
        found.removeAll(exempt);
        if (!found.equals(wanted)) {
            broken.add(index.name() + " finds " + found + ", not " + wanted);
        }
        List<String> back = new ArrayList<>();
        try (Scan<Entry<String, String>> scan = index.scan(KeySpan.all().reversed())) {
            scan.forEachRemaining(entry -> back.add(entry.key()));
        }
        back.removeAll(exempt);
        if (!back.reversed().equals(found)) {
            broken.add(index.name() + " finds other records backward");
        }
    }

    /** The entries that live records must have, and their primary keys. */
    private TreeMap<Bytes, String> entries(Index<?, String, String> index, Map<String, FinalState.Found> records) {
        TreeMap<Bytes, String> entries = new TreeMap<>();
        records.forEach((key, found) -> {
            if (found.value() != null) {
                index.entryKey(words.keys().encode(key), found.value()).ifPresent(entry -> entries.put(entry, key));
            }
        });
        return entries;
    }

    private Set<Bytes> live(TreeId tree) {
        Set<Bytes> keys = new TreeSet<>();
        Engine engine = words.store().engine();
        // Past the pool, which may be from before the scrub.
        try (RecordCursor scan = engine.trees()
                .fresh()
                .apply(Workspace.standard(engine.services().tasks()))
                .records(tree)
                .cursor(KeyRange.all(), Direction.ASCENDING)) {
            while (scan.advance()) {
                if (!scan.isTombstone()) {
                    keys.add(scan.key());
                }
            }
        }
        return keys;
    }
}
