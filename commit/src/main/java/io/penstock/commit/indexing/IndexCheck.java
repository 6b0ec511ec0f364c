package io.penstock.commit.indexing;

import io.penstock.commit.engine.Trees;
import io.penstock.commit.index.CompositeKey;
import io.penstock.commit.index.IndexEntry;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import io.penstock.core.record.RecordChange;
import io.penstock.report.IndexReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Compares an index with its collection, both ways, a batch at a time. One run; for one thread. */
final class IndexCheck {
    private static final int BATCH = 256;

    private final LeafIndexing.Target index;
    private final Trees trees;
    private final TreeId primary;
    private final TreeId entries;
    private final Optional<TreeId> pending;
    private final long asOfMillis;
    private final Consumer<Bytes> repeated;

    private long records;
    private long fitting;
    private long missing;
    private long leftOver;
    private long noted;
    private long duplicates;

    /** The search key of the last entry that fits, and whether it was counted as a duplicate. */
    private @Nullable Bytes lastKey;

    private boolean lastCounted;

    /**
     * @param trees to read by; their pool is this object's own
     * @param asOfMillis records and entries that have expired by then are ignored, since they are purged one by one
     * @param repeated receives the search keys that several records have
     */
    IndexCheck(Trees trees, LeafIndexing.Target index, TreeId primary, long asOfMillis, Consumer<Bytes> repeated) {
        this.repeated = repeated;
        this.index = index;
        this.asOfMillis = asOfMillis;
        this.trees = trees;
        this.primary = primary;
        this.entries = index.stored().treeId();
        this.pending = index.stored().pendingTree();
    }

    IndexReport run() {
        trees.inBatches(primary, BATCH, this::lookFor);
        trees.inBatches(entries, BATCH, this::compare);
        pending.ifPresent(tree -> trees.inBatches(tree, BATCH, batch -> noted += batch.size()));
        return new IndexReport(records, fitting, missing, leftOver, noted, duplicates);
    }

    /** Checks that the index finds these records, or that they are noted to be indexed. */
    private void lookFor(List<RecordChange> stored) {
        List<RecordChange> batch = unexpired(stored);
        records += batch.size();
        List<Bytes> keys = new ArrayList<>();
        List<Bytes> wanted = new ArrayList<>();
        for (RecordChange record : batch) {
            entryOf(record).ifPresent(entry -> {
                keys.add(record.key());
                wanted.add(entry);
            });
        }
        List<Optional<RecordChange>> found = trees.records(entries).findAll(wanted);
        List<Bytes> lost = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            if (found.get(i).filter(entry -> !entry.isTombstone()).isEmpty()) {
                lost.add(keys.get(i));
            }
        }
        missing += lost.size() - pending.map(tree -> live(tree, lost)).orElse(0L);
    }

    private List<RecordChange> unexpired(List<RecordChange> stored) {
        return stored.stream()
                .filter(record -> record.expiryMillis() > asOfMillis)
                .toList();
    }

    private Optional<Bytes> entryOf(RecordChange record) {
        return trees.payload(primary, record)
                .flatMap(payload -> index.entryOf().apply(record.key(), payload))
                .map(IndexEntry::key);
    }

    private long live(TreeId tree, List<Bytes> keys) {
        return trees.records(tree).findAll(keys).stream()
                .filter(record -> record.filter(one -> !one.isTombstone()).isPresent())
                .count();
    }

    /** Checks that these entries fit their records. */
    private void compare(List<RecordChange> stored) {
        List<RecordChange> batch = unexpired(stored);
        List<CompositeKey.Parts> parts =
                batch.stream().map(entry -> CompositeKey.split(entry.key())).toList();
        List<Optional<RecordChange>> found = trees.records(primary)
                .findAll(parts.stream().map(CompositeKey.Parts::second).toList());
        for (int i = 0; i < batch.size(); i++) {
            boolean fits = found.get(i)
                    .filter(record -> !record.isTombstone())
                    .flatMap(this::entryOf)
                    .filter(batch.get(i).key()::equals)
                    .isPresent();
            if (fits) {
                fitting++;
                countDuplicate(parts.get(i).first());
            } else {
                leftOver++;
            }
        }
    }

    /** Entries come in the order of their search keys. */
    private void countDuplicate(Bytes searchKey) {
        boolean same = searchKey.equals(lastKey);
        if (same && !lastCounted) {
            duplicates++;
            repeated.accept(searchKey);
        }
        lastCounted = same;
        lastKey = searchKey;
    }
}
