package io.penstock.commit.bulk;

import io.penstock.btree.BLinkTree;
import io.penstock.btree.TreeLoader;
import io.penstock.btree.TreeSettings;
import io.penstock.btree.TreeWriter;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.client.ClientContext;
import io.penstock.commit.client.HybridClock;
import io.penstock.commit.engine.LargePayloads;
import io.penstock.commit.engine.Trees;
import io.penstock.commit.index.CompositeKey;
import io.penstock.commit.index.IncludedPart;
import io.penstock.commit.index.IndexEntry;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.memory.ExternalSort;
import io.penstock.core.memory.WorkMemory;
import io.penstock.core.memory.Workspace;
import io.penstock.core.page.Expiry;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.Content;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordManager;
import io.penstock.core.task.Tasks;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * A load that fills an empty collection and its indexes: it sorts the records outside of memory, then builds each tree
 * bottom-up. The indexes are built first and the records last, so that no record ever exists without its index entries.
 * Entries exist without records until then, and for good if the load fails: they say that they are of a load, and
 * {@link EndedLoads} whether it ended.
 *
 * <p>All records have one stamp, drawn at the beginning. Later commits of other clients win, as if the load were one
 * transaction. If a checkpoint writes the records' tree before the load is done, the load fails and leaves only
 * garbage. For one thread and one load.
 */
public final class BulkLoad {
    /** The default fill of new pages, in percent: it leaves room for later inserts at any place. */
    public static final int FILL_PERCENT = 90;

    /** The default number of pages that are put at a time. */
    public static final int WIDTH = 16;

    /** The number of records between two calls of the progress. */
    private static final int PROGRESS_STEP = 1000;

    /** The number of entries that are applied at a time to an index that already has some. */
    private static final int APPLY_BATCH = 20_000;

    private final Parts parts;
    private final CollectionDefinition collection;
    private final Shape shape;
    private final long epoch;
    private final List<TreeId> indexes;
    private final LongConsumer progress;
    private final long expiryMillis;

    /** The parts of a store that loads use. */
    public record Parts(WorkMemory memory, PageManager pages, HybridClock clock, LargePayloads.Place payloads) {
        public Tasks tasks() {
            return payloads.tasks();
        }

        public ClientContext membership() {
            return payloads.membership();
        }

        /** Whether a tree has neither records nor traces of deleted ones. */
        public boolean isEmpty(TreeId tree) {
            return TreeLoader.isEmpty(pages, tree);
        }

        /** The stamp of a record as its page has it, or as the pool has that page. */
        Optional<Stamp> stamp(TreeId tree, Bytes key) {
            return new RecordManager(new BLinkTree(pages, tree, 0), tasks(), 1)
                    .find(key)
                    .map(RecordChange::stamp);
        }
    }

    /** The shape of a load: the fill of its pages, in percent, and the number of pages put at a time. */
    public record Shape(int fillPercent, int width) {
        /** @throws InvalidRequestException when a value is out of range */
        public Shape {
            requireWithin("fillPercent", fillPercent, 10, 100);
            requireWithin("width", width, 1, 256);
        }

        private static void requireWithin(String what, int value, int min, int max) {
            if (value < min || value > max) {
                throw new InvalidRequestException(
                        ErrorCode.INVALID_SETTING,
                        "a setting of a load is out of range; choose another value",
                        "setting",
                        what,
                        "value",
                        value,
                        "min",
                        min,
                        "max",
                        max);
            }
        }
    }

    /**
     * A record to load.
     *
     * @param entries of indexes, one for each index; empty where an index leaves the record out
     */
    public record Item(Bytes key, Bytes payload, List<Optional<IndexEntry>> entries) {}

    /**
     * The collection that a load fills.
     *
     * @param epoch of the definition that the load uses
     * @param indexes the trees of the indexes that the load fills
     * @param expiryMillis of all records and entries, or {@link io.penstock.core.page.Expiry#NEVER}
     */
    public record Loaded(CollectionDefinition collection, long epoch, List<TreeId> indexes, long expiryMillis) {}

    /**
     * @param progress called from time to time with the number of records that were read
     */
    public BulkLoad(Parts parts, Loaded loaded, Shape shape, LongConsumer progress) {
        this.parts = parts;
        this.collection = loaded.collection;
        this.shape = shape;
        this.epoch = loaded.epoch;
        this.indexes = List.copyOf(loaded.indexes);
        this.progress = progress;
        this.expiryMillis = loaded.expiryMillis;
    }

    /** Loads the records, and returns their number. */
    public long run(Iterator<Item> records) {
        return parts.memory.lend(room -> run(records, room));
    }

    /** @param room for sorting: half of it for records, the other half for entries, by records and by themselves */
    private long run(Iterator<Item> records, Workspace room) {
        if (collection.domain() != null) {
            throw new InvalidRequestException(
                    ErrorCode.DOMAIN_MISMATCH,
                    "a load goes past the commit log of the collection's domain; use transactions",
                    "collection",
                    collection.name(),
                    "domain",
                    collection.domain());
        }
        if (!parts.isEmpty(collection.treeId())) {
            throw new InvalidRequestException(
                    ErrorCode.ALREADY_EXISTS,
                    "the collection has records, or traces of deleted ones; bulk load fills new collections, use"
                            + " transactions for this one",
                    "collection",
                    collection.name());
        }
        parts.membership().join();
        Stamp stamp = parts.clock.next(parts.membership().client());
        List<ExternalSort> sorts = new ArrayList<>();
        try {
            sorts.add(room.part(2).sort());
            Workspace ofSort = room.part(4 * Math.max(1, indexes.size())); // one by records, one by entries
            indexes.forEach(index -> sorts.add(ofSort.sort()));
            long read = read(records, sorts);
            for (int i = 0; i < indexes.size(); i++) {
                try (ExternalSort entries = ofSort.sort()) {
                    addEntries(sorts.get(i + 1), entries);
                    loadIndex(indexes.get(i), entries, stamp);
                }
            }
            build(collection.treeId(), sorts.getFirst(), stamp, epoch);
            progress.accept(read);
            return read;
        } finally {
            sorts.forEach(ExternalSort::close);
        }
    }

    private long read(Iterator<Item> records, List<ExternalSort> sorts) {
        LargePayloads large = new LargePayloads(parts.payloads);
        long read = 0;
        while (records.hasNext()) {
            Item record = records.next();
            for (int i = 0; i < indexes.size(); i++) {
                Optional<IndexEntry> entry = record.entries.get(i);
                sorts.get(i + 1).add(record.key, entry.map(BulkLoad::encoded).orElse(Bytes.EMPTY), false);
            }
            Content placed = large.place(collection, record.key, record.payload, Expiry.NEVER);
            sorts.getFirst().add(record.key, placed.bytes(), placed.isReference());
            if (++read % PROGRESS_STEP == 0) {
                progress.accept(read);
            }
        }
        large.requireYoung();
        return read;
    }

    private static Bytes encoded(IndexEntry entry) {
        return CompositeKey.join(entry.key(), IncludedPart.ofLoad(entry.included()));
    }

    /** Adds the entries of the records that stay: of those with one key, that of the last, which may have none. */
    private static void addEntries(ExternalSort byRecord, ExternalSort entries) {
        byRecord.sorted().forEachRemaining(record -> {
            if (!record.value().isEmpty()) {
                CompositeKey.Parts entry = CompositeKey.split(record.value());
                entries.add(entry.first(), entry.second(), false);
            }
        });
    }

    /**
     * Builds a tree.
     *
     * @param epochMax the epoch of the definition that the load uses. A tree of a later epoch has indexes that the load
     *     does not maintain, or is on its way into a domain. An index that is added from now on, or a move, writes the
     *     root, and so makes the load fail.
     */
    private void build(TreeId tree, ExternalSort sort, Stamp stamp, long epochMax) {
        TreeLoader loader = new TreeLoader(parts.pages, tree, settings(), parts.tasks(), shape.fillPercent);
        loader.expireAt(expiryMillis);
        if (loader.indexEpoch() > epochMax) {
            throw new ConflictException(
                    "the collection got another index or moved meanwhile; repeat the load",
                    "collection",
                    collection.name());
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

    /**
     * Builds an index. If it has entries, of an earlier load that failed before its records or of commits, the new ones
     * are added to them.
     */
    private void loadIndex(TreeId tree, ExternalSort sort, Stamp stamp) {
        if (parts.isEmpty(tree)) {
            build(tree, sort, stamp, Long.MAX_VALUE);
            return;
        }
        TreeWriter writer = new TreeWriter(parts.pages, tree, settings(), parts.tasks());
        List<RecordChange> batch = new ArrayList<>();
        Iterator<ExternalSort.Item> items = sort.sorted();
        while (items.hasNext()) {
            ExternalSort.Item item = items.next();
            batch.add(new RecordChange.Put(item.key(), item.value(), false, expiryMillis, stamp));
            if (batch.size() == APPLY_BATCH || !items.hasNext()) {
                writer.apply(batch);
                batch.clear();
            }
        }
    }

    private TreeSettings settings() {
        return Trees.settings(collection).withParallelWidth(shape.width);
    }
}
