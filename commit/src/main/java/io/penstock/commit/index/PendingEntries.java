package io.penstock.commit.index;

import io.penstock.btree.MarkedChanges;
import io.penstock.btree.TreeWriter;
import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.CollectionDefinition.IndexDefinition;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.record.RecordChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Notes the records whose writers did not know an index that was added meanwhile. Whoever applies a record to a leaf
 * that the index's build has been to puts its key into the index's pending tree, after the leaf is written and
 * before the record's message is deleted: so that, whatever fails in between, it is done again. Safe for use by many
 * threads.
 */
public final class PendingEntries {
    private final Catalog catalog;
    private final Function<TreeId, TreeWriter> writers;

    public PendingEntries(Catalog catalog, Function<TreeId, TreeWriter> writers) {
        this.catalog = catalog;
        this.writers = writers;
    }

    /** Whether log records for this tree are to be thrown away, as its index was dropped. */
    public boolean isDropped(TreeId tree) {
        return catalog.ofTree(tree)
                .map(definition -> definition.hasDropped(tree))
                .orElse(false);
    }

    /**
     * Notes what is due after records were applied to a tree.
     *
     * @param records that were applied, to this and other trees
     * @param landed which of their changes met leaves with an index epoch
     * @throws UnavailableException when the catalog does not show yet what the leaves tell of
     */
    public void note(TreeId tree, List<LogRecord> records, List<MarkedChanges> landed) {
        if (landed.isEmpty()) {
            return;
        }
        long newest = landed.stream().mapToLong(MarkedChanges::indexEpoch).max().orElse(0);
        due(definition(tree, newest), records, landed)
                .forEach((pending, keys) -> writers.apply(pending).apply(keys));
    }

    /** The definition as it is known here, unless a leaf shows that there is a newer one. */
    private CollectionDefinition definition(TreeId tree, long epoch) {
        CollectionDefinition known = catalog.ofTree(tree).orElseThrow(() -> stale(tree, epoch));
        if (known.epoch() >= epoch) {
            return known;
        }
        return catalog.refresh(known.name())
                .filter(fresh -> fresh.epoch() >= epoch)
                .orElseThrow(() -> stale(tree, epoch));
    }

    private static UnavailableException stale(TreeId tree, long epoch) {
        return new UnavailableException(
                "the catalog read is older than a page of the collection; retry later", "tree", tree, "epoch", epoch);
    }

    /** What to put into which pending tree: keys without payloads, sorted, each with its record's stamp. Pure. */
    static SortedMap<TreeId, List<RecordChange>> due(
            CollectionDefinition definition, List<LogRecord> records, List<MarkedChanges> landed) {
        Map<RecordChange, Long> epochs = new IdentityHashMap<>();
        records.forEach(record -> epochs.put(record.change(), record.epoch()));
        SortedMap<TreeId, List<RecordChange>> due = new TreeMap<>();
        for (MarkedChanges landing : landed) {
            for (RecordChange change : landing.changes()) {
                // A delete owes an index nothing: the entry of the record that was there is left over, as after a race.
                if (!(change instanceof RecordChange.Delete)) {
                    add(due, definition, change, epochs.getOrDefault(change, 0L), landing.indexEpoch());
                }
            }
        }
        due.values().forEach(keys -> keys.sort(Comparator.comparing(RecordChange::key)));
        return due;
    }

    private static void add(
            SortedMap<TreeId, List<RecordChange>> due,
            CollectionDefinition definition,
            RecordChange change,
            long known,
            long indexedTo) {
        for (IndexDefinition index : definition.indexes()) {
            // An index above the leaf's epoch is still being built, and its build has not been to the leaf.
            if (known < index.added() && index.added() <= indexedTo) {
                index.pendingTree()
                        .ifPresent(pending -> due.computeIfAbsent(pending, tree -> new ArrayList<>())
                                .add(new RecordChange.Put(change.key(), Bytes.EMPTY, change.stamp())));
            }
        }
    }
}
