package io.penstock;

import io.penstock.btree.TreeLoader;
import io.penstock.btree.TreeSettings;
import io.penstock.btree.TreeWriter;
import io.penstock.commit.bulk.ExternalSort;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.RecordChange;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Fills an empty collection and its indexes: sorts the records outside of memory, then builds each tree bottom-up. The
 * indexes come first and the records last, so that no record is ever there without its index entries.
 *
 * <p>All records have one stamp, drawn at the beginning. What others commit later wins, as if this were one
 * transaction; and if a checkpoint writes the records' tree before the load is done, the load fails and leaves nothing
 * behind but garbage. For one thread and one load.
 */
final class BulkLoad<K, V> {
    /** What is kept in memory while sorting: half of it records, the other half index entries. */
    private static final long SORT_BYTES = 64L << 20;

    /** Room for the next inserts, which come anywhere. */
    private static final int FILL_PERCENT = 90;

    /** Records between two calls of the progress. */
    private static final int PROGRESS_STEP = 1000;

    /** Index entries that are applied at a time to an index which has some already. */
    private static final int APPLY_BATCH = 20_000;

    private final Engine engine;
    private final RecordCollection<K, V> collection;
    private final LongConsumer progress;
    private final PageManager pages;

    BulkLoad(Engine engine, RecordCollection<K, V> collection, LongConsumer progress) {
        this.engine = engine;
        this.collection = collection;
        this.progress = progress;
        this.pages = engine.foreground.pages();
    }

    long run(Iterator<Entry<K, V>> records) {
        engine.requireWritable();
        KeptIndexes<K, V> kept = collection.kept();
        if (!TreeLoader.isEmpty(pages, collection.tree())) {
            throw new InvalidRequestException(
                    "the collection has records, or traces of deleted ones; bulk load fills new collections, use"
                            + " transactions for this one",
                    "collection",
                    collection.name());
        }
        engine.join();
        Stamp stamp = engine.clock.next(engine.client);
        List<ExternalSort> sorts = new ArrayList<>();
        try {
            sorts.add(new ExternalSort(SORT_BYTES / 2));
            int indexes = kept.trees().size();
            kept.trees().forEach(index -> sorts.add(new ExternalSort(SORT_BYTES / 2 / indexes)));
            long read = read(records, kept, sorts);
            for (int i = 0; i < indexes; i++) {
                loadIndex(kept.trees().get(i).tree(), sorts.get(i + 1), stamp);
            }
            build(collection.tree(), sorts.getFirst(), stamp, kept.epoch());
            progress.accept(read);
            return read;
        } finally {
            sorts.forEach(ExternalSort::close);
        }
    }

    private long read(Iterator<Entry<K, V>> records, KeptIndexes<K, V> kept, List<ExternalSort> sorts) {
        LargePayloads large = new LargePayloads(engine);
        long read = 0;
        while (records.hasNext()) {
            Entry<K, V> entry = records.next();
            Bytes key = collection.encode(entry.key());
            for (int i = 0; i < kept.trees().size(); i++) {
                ExternalSort sort = sorts.get(i + 1);
                kept.trees().get(i).index().entryKey(key, entry.value()).ifPresent(entryKey -> {
                    collection.requireIndexKey(entryKey);
                    sort.add(entryKey, Bytes.EMPTY, false);
                });
            }
            LargePayloads.Placed placed =
                    large.place(collection, key, collection.payloads().encode(entry.value()));
            sorts.getFirst().add(key, placed.bytes(), placed.isReference());
            if (++read % PROGRESS_STEP == 0) {
                progress.accept(read);
            }
        }
        large.requireYoung();
        return read;
    }

    /**
     * @param epoch of the definition that the load goes by. A tree of a later one has indexes that the load does not
     *     keep; one that is added from now on writes the root, and makes the load fail.
     */
    private void build(TreeId tree, ExternalSort sort, Stamp stamp, long epoch) {
        TreeLoader loader = new TreeLoader(pages, tree, settings(), engine.tasks, FILL_PERCENT);
        if (loader.indexEpoch() > epoch) {
            throw new ConflictException(
                    "an index was added to the collection meanwhile; repeat the load", "collection", collection.name());
        }
        try {
            Iterator<ExternalSort.Item> items = sort.sorted();
            while (items.hasNext()) {
                ExternalSort.Item item = items.next();
                loader.add(item.key(), item.value(), item.isReference(), stamp);
            }
            loader.finish();
        } catch (RuntimeException failure) {
            loader.abandon();
            throw failure;
        }
    }

    /** An index may have entries of a load that failed before it came to the records; then these are added to it. */
    private void loadIndex(TreeId tree, ExternalSort sort, Stamp stamp) {
        if (TreeLoader.isEmpty(pages, tree)) {
            build(tree, sort, stamp, Long.MAX_VALUE);
            return;
        }
        TreeWriter writer = new TreeWriter(pages, tree, settings(), engine.tasks);
        List<RecordChange> batch = new ArrayList<>();
        Iterator<ExternalSort.Item> items = sort.sorted();
        while (items.hasNext()) {
            batch.add(new RecordChange.Put(items.next().key(), Bytes.EMPTY, stamp));
            if (batch.size() == APPLY_BATCH || !items.hasNext()) {
                writer.apply(batch);
                batch.clear();
            }
        }
    }

    private TreeSettings settings() {
        return Trees.settings(collection.definition());
    }
}
