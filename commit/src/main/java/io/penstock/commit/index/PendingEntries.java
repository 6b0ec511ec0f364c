package io.penstock.commit.index;

import io.penstock.btree.ApplyResult.Marked;
import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.record.RecordChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The notes of records whose writers did not know an index that was added meanwhile. When such a record is applied to
 * a leaf that the build has already indexed, its key is put into the index's pending tree: after the leaf is written
 * and before the record's message is deleted, so that it is done again if anything fails in between. Safe for use by
 * many threads.
 */
public final class PendingEntries {
    private static final Duration LOOK_WHILE_MOVING = Duration.ofSeconds(1);

    private final Catalog catalog;

    public PendingEntries(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Whether the tree's index or collection was dropped, so that log records for it are thrown away. */
    public boolean isDropped(TreeId tree) {
        return catalog.isDropped(tree);
    }

    /** Whether the changes of a tree go through a commit log, so that no other way may lead to its pages. */
    public boolean isLogged(TreeId tree) {
        return catalog.ofTree(tree)
                .flatMap(known -> catalog.inUse(known.name()))
                .filter(found -> found.domain() != null)
                // It may be in by now, or out again.
                .flatMap(found -> catalog.within(found.name(), found.isArriving() ? LOOK_WHILE_MOVING : Duration.ZERO))
                .filter(found -> found.domain() != null && !found.isArriving())
                .isPresent();
    }

    /** Whether a tree belongs to a collection of another domain, or of none: no business of the log of this one. */
    public boolean isForeign(TreeId tree, String domain) {
        return catalog.ofTree(tree)
                .filter(known -> !domain.equals(known.domain()))
                // It may have come into the domain since; the name may be another collection's.
                .flatMap(known -> catalog.refresh(known.name()))
                .filter(found -> !domain.equals(found.domain()) && found.trees().anyMatch(tree::equals))
                .isPresent();
    }

    /** Whether a collection is in a domain, or on its way in or out, as the store has it now. */
    public boolean isInDomain(TreeId tree) {
        return catalog.ofTree(tree)
                .flatMap(known -> catalog.refresh(known.name()))
                .filter(found -> found.domain() != null && found.trees().anyMatch(tree::equals))
                .isPresent();
    }

    /**
     * Notes what is due after records were applied to a tree.
     *
     * @param records that were applied to the tree
     * @param marked those of their changes that met leaves with an index epoch
     * @param writer applies sorted changes to a tree
     * @throws UnavailableException when the catalog does not show yet what the leaves have
     */
    public void note(
            TreeId tree, List<LogRecord> records, List<Marked> marked, BiConsumer<TreeId, List<RecordChange>> writer) {
        if (marked.isEmpty()) {
            return;
        }
        long newest = marked.stream().mapToLong(Marked::indexEpoch).max().orElse(0);
        due(definition(tree, newest), records, marked).forEach(writer);
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

    /** Names one change of a tree: no transaction changes a key twice, and no two have one stamp. */
    private record ChangeId(Bytes key, Stamp stamp) {
        static ChangeId of(RecordChange change) {
            return new ChangeId(change.key(), change.stamp());
        }
    }

    /** The puts that are due, by pending tree: keys without payloads, sorted, with their records' stamps. Pure. */
    static SortedMap<TreeId, List<RecordChange>> due(
            CollectionDefinition definition, List<LogRecord> records, List<Marked> marked) {
        Map<ChangeId, Long> epochs = new HashMap<>();
        records.forEach(record -> epochs.put(ChangeId.of(record.change()), record.epoch()));
        SortedMap<TreeId, List<RecordChange>> due = new TreeMap<>();
        for (Marked leaf : marked) {
            for (RecordChange change : leaf.changes()) {
                // A delete too: the entry of what it deletes is left over, and may be all that a reader looks at.
                add(due, definition, change, epochs.getOrDefault(ChangeId.of(change), 0L), leaf.indexEpoch());
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
