package io.penstock;

import io.penstock.commit.bulk.BulkLoad;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.commit.engine.CollectionFacts;
import io.penstock.commit.index.CompositeKey;
import io.penstock.commit.index.IndexEntry;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.record.KeyRange;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The indexes that the writes of one client maintain, by one definition of their collection. Immutable.
 *
 * @param epoch every index that was added at this epoch of the definition, or before, is kept; each put carries
 *     it, so that a checkpoint knows which entries are missing
 */
record KeptIndexes<K, V>(CollectionDefinition definition, List<Kept<K, V>> trees, long epoch) {
    private static final Logger LOG = LoggerFactory.getLogger(KeptIndexes.class);

    /** An index and the tree of its entries. */
    record Kept<K, V>(Index<?, K, V> index, IndexDefinition stored) {
        TreeId tree() {
            return stored.treeId();
        }

        boolean unique() {
            return stored.unique();
        }

        Optional<IndexEntry> entry(Bytes primaryKey, V value) {
            return index.entry(primaryKey, value, stored.covering());
        }
    }

    /** One index entry, and the tree that it belongs to. */
    record KeptEntry(String index, TreeId tree, IndexEntry entry, boolean unique) {
        /** The keys of all entries with the same search key. */
        KeyRange sameSearchKey() {
            return KeyRange.prefix(CompositeKey.prefix(CompositeKey.split(key()).first()));
        }

        Bytes key() {
            return entry.key();
        }

        Bytes included() {
            return entry.included();
        }
    }

    KeptIndexes {
        trees = List.copyOf(trees);
    }

    /**
     * Returns the declared indexes that the store has. An index that was added later need not be declared: a program
     * that does not know it keeps working, and others write its entries.
     *
     * @throws InvalidRequestException when one that the collection was made with is not declared, or one of them is
     *     defined differently
     */
    static <K, V> KeptIndexes<K, V> of(CollectionDefinition definition, List<Index<?, K, V>> declared) {
        List<Kept<K, V>> kept = new ArrayList<>();
        long epoch = definition.epoch();
        for (IndexDefinition stored : definition.indexes()) {
            Optional<Index<?, K, V>> index = declared.stream()
                    .filter(each -> each.name().equals(stored.name()))
                    .filter(each -> each.declared().in(definition).isPresent())
                    .findFirst();
            if (index.isPresent()) {
                kept.add(new Kept<>(index.get(), stored));
            } else if (stored.added() > 0 && !stored.unique()) {
                epoch = Math.min(epoch, stored.added() - 1);
            } else {
                throw new InvalidRequestException(
                        ErrorCode.UNDECLARED_INDEX,
                        "the collection has indexes that are not declared here; open it with collection() and declare"
                                + " them",
                        "collection",
                        definition.name(),
                        "index",
                        stored.name());
            }
        }
        return new KeptIndexes<>(definition, kept, epoch);
    }

    /** Tells the declared indexes that the store does not have: nothing else would, and reads would be slow. */
    private static void tellMissing(CollectionDefinition definition, List<? extends Index<?, ?, ?>> declared) {
        declared.stream()
                .filter(index -> index.declared().in(definition).isEmpty())
                .forEach(index -> LOG.warn(
                        "the store does not have this index, so that no read uses it; make it with"
                                + " RecordCollection.build collection={} index={}",
                        definition.name(),
                        index.name()));
    }

    /** Fills a collection that has these indexes, and returns how many records were loaded. */
    long load(
            RecordCollection<K, V> collection,
            Iterator<Entry<K, V>> records,
            BulkLoad.Shape shape,
            LongConsumer progress) {
        if (collection.hasExpiries()) {
            throw new InvalidRequestException(
                    "records of a bulk load expire all at one time; put these in transactions",
                    "collection",
                    definition.name());
        }
        List<TreeId> indexes = trees.stream().map(Kept::tree).toList();
        BulkLoad.Loaded loaded = new BulkLoad.Loaded(definition, epoch, indexes, collection.expiryMillis());
        long read = new BulkLoad(collection.parts().loads(), loaded, shape, progress)
                .run(new LoadedRecords<>(collection, this, records));
        // It may move into a domain by now, and takes them along.
        var unused = collection.parts().catalog().requireNotEmptied(definition.treeId());
        return read;
    }

    /** @throws InvalidRequestException when an index is declared unique here, and the store does not keep it so */
    void requireUnique(List<Index<?, K, V>> declared) {
        for (Index<?, K, V> index : declared) {
            boolean enforced =
                    !index.isUnique() || trees.stream().anyMatch(kept -> kept.index() == index && kept.unique());
            if (!enforced) {
                throw new InvalidRequestException(
                        ErrorCode.INDEX_NOT_READY,
                        "the index is declared unique and is not in the store; make it so with RecordCollection.build",
                        "collection",
                        definition.name(),
                        "index",
                        index.name());
            }
        }
    }

    /** The entries of one record in these indexes. */
    List<KeptEntry> entries(Bytes primaryKey, V value) {
        List<KeptEntry> entries = new ArrayList<>();
        for (Kept<K, V> each : trees) {
            each.entry(primaryKey, value)
                    .ifPresent(entry ->
                            entries.add(new KeptEntry(each.index().name(), each.tree(), entry, each.unique())));
        }
        return entries;
    }

    /**
     * The indexes of a collection that its writers keep: derived from its definition, and anew when that changes. Safe
     * for use by many threads.
     */
    static final class Known<K, V> {
        private volatile @Nullable CollectionFacts facts;
        private volatile @Nullable KeptIndexes<K, V> kept;

        @Nullable
        CollectionFacts lastFacts() {
            return facts;
        }

        CollectionFacts facts(CollectionDefinition newest, List<Index<?, K, V>> declared) {
            CollectionFacts seen = facts;
            if (seen == null) {
                tellMissing(newest, declared);
            }
            if (seen == null || seen.definition() != newest) {
                seen = CollectionFacts.of(newest, Settings.KEY_BYTES_MAX);
                facts = seen;
            }
            return seen;
        }

        /** @param noting returns the definition once it notes which indexes include parts */
        KeptIndexes<K, V> kept(
                CollectionDefinition newest,
                UnaryOperator<CollectionDefinition> noting,
                List<Index<?, K, V>> declared) {
            KeptIndexes<K, V> current = kept;
            if (current == null || current.definition() != newest) {
                current = KeptIndexes.of(noting.apply(newest), declared);
                kept = current;
            }
            return current;
        }
    }

    /** The records of a bulk load, encoded one by one, with their index entries. For one thread. */
    record LoadedRecords<K, V>(RecordCollection<K, V> collection, KeptIndexes<K, V> kept, Iterator<Entry<K, V>> records)
            implements Iterator<BulkLoad.Item> {
        @Override
        public boolean hasNext() {
            return records.hasNext();
        }

        @Override
        public BulkLoad.Item next() {
            Entry<K, V> entry = records.next();
            Bytes key = collection.encode(entry.key());
            Bytes payload = collection.payloads().encode(entry.value());
            List<Optional<IndexEntry>> entries = new ArrayList<>();
            for (KeptIndexes.Kept<K, V> index : kept.trees()) {
                Optional<IndexEntry> made = index.entry(key, entry.value());
                made.map(IndexEntry::key).ifPresent(collection.facts()::requireEntryKey);
                entries.add(made);
            }
            return new BulkLoad.Item(key, payload, entries);
        }
    }
}
