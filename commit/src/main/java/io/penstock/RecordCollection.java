package io.penstock;

import io.penstock.commit.bulk.BulkLoad;
import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.CollectionDefinition.IndexDefinition;
import io.penstock.commit.catalog.KnownDefinition;
import io.penstock.commit.engine.Handle;
import io.penstock.commit.engine.Trees;
import io.penstock.commit.indexing.Indexing;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.Bytes;
import io.penstock.core.Compression;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.page.StoredPage;
import io.penstock.core.task.Tasks;
import io.penstock.report.BuildProgress;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A named set of records, in the order of their keys, and its secondary indexes. A view: it holds codecs, no data. Its
 * first read or write creates it in the store; from then on every client must define it alike, except for indexes that
 * are built or dropped later.
 *
 * <p>The methods that read and write here are transactions of their own, at the store's level. Each throws {@link
 * InvalidRequestException} for a bad key or value, and whatever {@link Transaction#commit} throws.
 *
 * <p>Safe for use by many threads.
 */
public final class RecordCollection<K, V> {
    /** The largest payload, in bytes: 100 MiB. */
    public static final int PAYLOAD_BYTES_MAX = (int) OverflowStore.PAYLOAD_BYTES_MAX;

    /** Records that one transaction of {@link #deleteRange} removes. */
    private static final int DELETES_MAX = 1000;

    /** The share of a page that an entry of an index may include of its record. */
    private static final int INCLUDED_SHARE = 16;

    private final Penstock store;
    private final Parts parts;
    private final String name;
    private final KeyCodec<K> keys;
    private final PayloadCodec<V> payloads;
    private final KnownDefinition known;
    private final List<Index<?, K, V>> indexes = new ArrayList<>();
    private volatile Compression compression = Compression.NONE;
    private volatile @Nullable Fixed fixed;
    private volatile @Nullable KeptIndexes<K, V> kept;

    /** The parts of an open store that its collections stand on. */
    record Parts(
            Handle handle,
            Tasks tasks,
            StoreSettings settings,
            Catalog catalog,
            BulkLoad.Parts loads,
            Indexing indexing) {}

    /** The facts that follow from the definition and never change. */
    private record Fixed(TreeId tree, int keyBytesMax, int includedBytesMax) {
        static Fixed of(CollectionDefinition definition) {
            int keyBytesMax =
                    Math.min(Settings.KEY_BYTES_MAX, Trees.settings(definition).keyBytesMax());
            return new Fixed(definition.treeId(), keyBytesMax, definition.pageBytes() / INCLUDED_SHARE);
        }
    }

    RecordCollection(Penstock store, Parts parts, String name, KeyCodec<K> keys, PayloadCodec<V> payloads) {
        Catalog.requireName("collection", name);
        this.store = store;
        this.parts = parts;
        this.name = name;
        this.keys = keys;
        this.payloads = new Reads.CheckedPayloads<>(name, payloads);
        this.known = new KnownDefinition(parts.catalog(), parts.tasks(), name, this::wanted);
    }

    /** A collection of which the definition is known, with no indexes to keep: for reading records as they are. */
    RecordCollection(
            Penstock store, Parts parts, CollectionDefinition definition, KeyCodec<K> keys, PayloadCodec<V> payloads) {
        this(store, parts, definition.name(), keys, payloads);
        known.check();
    }

    /** The name, unique within the store. */
    public String name() {
        return name;
    }

    /**
     * Declares how the pages of the collection and of its indexes are compressed in the store, and returns this
     * collection. A new collection is created so; an existing one must have been. Without this call a new collection
     * is not compressed, and an existing one is used as it is. Payloads with objects of their own are not compressed.
     *
     * @throws InvalidRequestException when the collection is in use already, or the library is not on the class path
     */
    public RecordCollection<K, V> compressed(Compression by) {
        requireUnused("compression", by.label());
        StoredPage.requireUsable(by);
        compression = by;
        return this;
    }

    /**
     * Declares a secondary index; all of a collection's are declared before its first use. An index that
     * the collection was made without is ignored until {@link #build} has built it.
     *
     * @param indexName unique within the collection, 1 to 64 of A-Z a-z 0-9 . _ -
     * @param by gives the search key of a value, or null to leave the record out of the index
     * @throws InvalidRequestException when the collection is in use already, or has an index of that name
     */
    public <I> Index<I, K, V> index(
            String indexName, KeyCodec<I> searchKeys, Function<? super V, ? extends @Nullable I> by) {
        Catalog.requireName("index", indexName);
        requireUnused("an index", indexName);
        if (indexes.stream().anyMatch(index -> index.name().equals(indexName))) {
            throw new InvalidRequestException(
                    "the collection has an index of this name; choose another", "collection", name, "index", indexName);
        }
        Index<I, K, V> index = new Index<>(this, store, indexName, searchKeys, by);
        indexes.add(index);
        return index;
    }

    /** One record, or empty when there is none. */
    public Optional<V> get(K key) {
        return store.session().reads().get(this, key);
    }

    /** Writes one record, replacing what was there. */
    public void put(K key, V value) {
        store.transact(transaction -> {
            transaction.put(this, key, value);
            return true;
        });
    }

    /** As {@link Transaction#putStream}. */
    public void putStream(K key, InputStream payload) {
        try (Transaction transaction = store.begin()) {
            transaction.putStream(this, key, payload);
            transaction.commit();
        }
    }

    /** As {@link Transaction#open}. */
    public Optional<InputStream> open(K key) {
        return store.session().reads().open(this, key);
    }

    /** Removes one record; nothing happens when there is none. */
    public void delete(K key) {
        store.transact(transaction -> {
            transaction.delete(this, key);
            return true;
        });
    }

    /** The records of a span of keys. */
    public Scan<Entry<K, V>> scan(KeySpan<K> span) {
        return store.session().reads().scan(this, span);
    }

    /** As {@link Transaction#getAll}. */
    public Map<K, V> getAll(Collection<K> wanted) {
        return store.session().reads().getAll(this, wanted);
    }

    /**
     * Removes the records of a span of keys in transactions of a thousand, and returns how many they were. After a
     * failure some are gone and the rest is not; repeat it. A record that others put meanwhile may or may not be
     * removed; one that they put afterwards stays.
     */
    public long deleteRange(KeySpan<K> span) {
        long deleted = 0;
        try (Scan<Entry<K, V>> scan = scan(span).toEnd()) {
            while (scan.hasNext()) {
                List<K> batch = new ArrayList<>();
                while (batch.size() < DELETES_MAX && scan.hasNext()) {
                    batch.add(scan.next().key());
                }
                store.transact(transaction -> {
                    batch.forEach(key -> transaction.delete(this, key));
                    return true;
                });
                deleted += batch.size();
            }
        }
        return deleted;
    }

    /**
     * Fills this collection, which must be new or empty, and its indexes: faster than transactions, as a
     * whole, and without log records. The records may come in any order: they are sorted, in temporary files if memory
     * does not hold them. Of records with one key the last one counts.
     *
     * <p>All or nothing: all records are there when this returns, and none after a failure or a crash; then repeat it
     * from the start. Records that others commit meanwhile are kept: if one is applied before the load is done, the
     * load fails; one applied later wins if it is younger than the start of the load.
     *
     * @param progress told from time to time how many records were read
     * @return how many records were read
     * @throws InvalidRequestException when the collection has records, or traces of deleted ones
     * @throws io.penstock.core.ConflictException when another client wrote to the collection meanwhile
     */
    public long load(Iterator<Entry<K, V>> records, LongConsumer progress) {
        return parts.handle().whileOpen(() -> {
            parts.handle().requireWritable();
            KeptIndexes<K, V> loaded = kept();
            List<TreeId> trees =
                    loaded.trees().stream().map(KeptIndexes.Kept::tree).toList();
            return new BulkLoad(parts.loads(), definition(), loaded.epoch(), trees, progress)
                    .run(new KeptIndexes.LoadedRecords<>(this, loaded, records));
        });
    }

    /** Whether {@link #load} may fill this collection: its pages have no records, and no traces of deleted ones. */
    public boolean isLoadable() {
        parts.handle().requireOpen();
        return parts.loads().isEmpty(tree());
    }

    /** @throws InvalidRequestException when the key is null, or not of a length that this collection takes */
    Bytes encode(K key) {
        Reads.CheckedPayloads.requireNotNull(name, "key", key);
        Bytes bytes = keys.encode(key);
        requireKeyFits(bytes, fixed().keyBytesMax);
        return bytes;
    }

    /** Refuses the key of an index entry that no page could hold. */
    void requireIndexKey(Bytes entryKey) {
        requireKeyFits(entryKey, Trees.settings(definition()).keyBytesMax());
    }

    int includedBytesMax() {
        return fixed().includedBytesMax;
    }

    private void requireKeyFits(Bytes key, int bytesMax) {
        if (key.isEmpty() || key.length() > bytesMax) {
            throw new InvalidRequestException(
                    "a key is empty or too long; choose another",
                    "collection",
                    name,
                    "keyBytes",
                    key.length(),
                    "keyBytesMax",
                    bytesMax);
        }
    }

    KeyCodec<K> keys() {
        return keys;
    }

    PayloadCodec<V> payloads() {
        return payloads;
    }

    Handle handle() {
        return parts.handle();
    }

    Indexing indexing() {
        return parts.indexing();
    }

    Duration ttl() {
        return parts.settings().limits().ttl();
    }

    /** The indexes that are declared here. */
    List<Index<?, K, V>> indexes() {
        return indexes;
    }

    /** The store that this collection was opened from. */
    Penstock store() {
        return store;
    }

    TreeId tree() {
        return fixed().tree;
    }

    private Fixed fixed() {
        Fixed seen = fixed;
        if (seen == null) {
            seen = Fixed.of(definition());
            fixed = seen;
        }
        return seen;
    }

    /**
     * The indexes that a write keeps, and the epoch that stands for them.
     *
     * @throws InvalidRequestException when the collection was made with an index that is not declared here
     */
    KeptIndexes<K, V> kept() {
        // A client that checkpoints learns from the leaves that there are new indexes.
        CollectionDefinition newest =
                parts.settings().background().checkpointing() ? definition() : definitionWithin(ttl());
        KeptIndexes<K, V> current = kept;
        if (current == null || current.definition() != newest) {
            current = KeptIndexes.of(newest, indexes);
            kept = current;
        }
        return current;
    }

    /**
     * Builds the indexes that are declared here and that the collection was made without. Other clients may write
     * meanwhile, whether they know of the indexes or not. Idempotent: it resumes a build that any client began, and
     * concurrent builds are harmless. An index can be scanned when its build is done.
     *
     * @param progress told of the progress, from time to time, by the calling thread
     * @throws InvalidRequestException when this client may not create anything, when an index that another client has
     *     begun to build is not declared here, or when an index is dropped meanwhile
     * @throws io.penstock.core.StoreException when something went wrong; build again, it resumes where it stopped
     */
    public void build(Consumer<BuildProgress> progress) {
        parts.handle().requireWritable();
        definition();
        parts.indexing().build(name, indexes.stream().map(Index::declared).toList(), progress);
    }

    /** As {@link #build(Consumer)}. */
    public void build() {
        build(progress -> {});
    }

    /**
     * Drops an index. Clients that declare it continue without it; running ones write its entries for a while, which
     * are thrown away. An index of the same name may be built again.
     *
     * @throws InvalidRequestException when the collection has no such index
     */
    public void dropIndex(String indexName) {
        parts.handle().requireWritable();
        definition();
        parts.indexing().drop(name, indexName);
    }

    /** The newest known definition; the first use writes it to the store if it had none. */
    CollectionDefinition definition() {
        return known.get();
    }

    void requireUnused(String what, String which) {
        if (known.isUsed()) {
            throw new InvalidRequestException(
                    what + " is declared before the collection is first used; declare it when you open the collection",
                    "collection",
                    name,
                    "declared",
                    which);
        }
    }

    /** The definition, asked for no longer than that ago. */
    CollectionDefinition definitionWithin(Duration age) {
        return known.within(age);
    }

    private CollectionDefinition wanted() {
        List<IndexDefinition> wanted = new ArrayList<>();
        for (Index<?, K, V> index : indexes) {
            wanted.add(new IndexDefinition(
                    index.name(), newTree().hex(), index.searchKeys().name()));
        }
        return Catalog.definition(
                        name, newTree(), keys.name(), parts.settings().paging().pageBytes(), wanted)
                .withCompression(compression);
    }

    private TreeId newTree() {
        return new TreeId(parts.tasks().random().nextLong());
    }

    /** The primary key and payload bytes of a record as a typed entry. */
    Entry<K, V> entry(Bytes key, Bytes payload) {
        return new Entry<>(keys.decode(key), payloads.decode(payload));
    }
}
