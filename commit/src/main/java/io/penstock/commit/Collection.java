package io.penstock.commit;

import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.CollectionDefinition.IndexDefinition;
import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A named set of records, in the order of their keys, and its secondary indexes. A view: it holds codecs, no data. The
 * store learns of the collection when it is first read or written; from then on every client must define it alike, but
 * for indexes that are built or dropped later.
 *
 * <p>The methods that read and write here are transactions of their own, at the store's level. Each throws {@link
 * InvalidRequestException} for a bad key or value, and whatever {@link Transaction#commit} throws.
 *
 * <p>Safe for use by many threads.
 */
public final class Collection<K, V> {
    /** Records that one transaction of {@link #deleteRange} removes. */
    private static final int DELETES_MAX = 1000;

    private final Penstock store;
    private final Engine engine;
    private final String name;
    private final KeyCodec<K> keys;
    private final PayloadCodec<V> payloads;
    private final List<Index<?, K, V>> indexes = new ArrayList<>();
    private volatile @Nullable KeptIndexes<K, V> kept;
    private volatile @Nullable Known known;

    /** When the store was last asked for the definition. */
    private volatile long checkedNanos;

    /** What never changes of the collection, and follows from its definition. */
    private record Known(TreeId tree, int keyBytesMax) {
        static Known of(CollectionDefinition definition) {
            int keyBytesMax =
                    Math.min(Settings.KEY_BYTES_MAX, Trees.settings(definition).keyBytesMax());
            return new Known(definition.treeId(), keyBytesMax);
        }
    }

    Collection(Penstock store, Engine engine, String name, KeyCodec<K> keys, PayloadCodec<V> payloads) {
        Catalog.requireName("collection", name);
        this.store = store;
        this.engine = engine;
        this.name = name;
        this.keys = keys;
        this.payloads = payloads;
    }

    /** A collection of which the definition is known, with no indexes to keep: for reading records as they are. */
    Collection(
            Penstock store,
            Engine engine,
            CollectionDefinition definition,
            KeyCodec<K> keys,
            PayloadCodec<V> payloads) {
        this(store, engine, definition.name(), keys, payloads);
        this.known = Known.of(definition);
        this.checkedNanos = engine.tasks.nanoTime();
    }

    public String name() {
        return name;
    }

    /**
     * Declares a secondary index; all of a collection's are declared before its first use. One that the store does not
     * have, because the collection was made without it, is left alone until {@link #build} has made it.
     *
     * @param indexName unique within the collection, 1 to 64 of A-Z a-z 0-9 . _ -
     * @param by gives the search key of a value, or null to leave the record out of the index
     * @throws InvalidRequestException when the collection is in use already, or has an index of that name
     */
    public <I> Index<I, K, V> index(
            String indexName, KeyCodec<I> searchKeys, Function<? super V, ? extends @Nullable I> by) {
        Catalog.requireName("index", indexName);
        if (known != null) {
            throw new InvalidRequestException(
                    "an index is declared before the collection is first used; declare it when you open the collection",
                    "collection",
                    name,
                    "index",
                    indexName);
        }
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
        return store.session().find(this, key);
    }

    /** Writes one record, replacing what was there. */
    public void put(K key, V value) {
        store.transact(transaction -> {
            transaction.put(this, key, value);
            return true;
        });
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
        return store.begin().scan(this, span);
    }

    /** As {@link Transaction#getAll}. */
    public Map<K, V> getAll(java.util.Collection<K> wanted) {
        return store.read(transaction -> transaction.getAll(this, wanted));
    }

    /**
     * Removes the records of a span of keys, a thousand to a transaction, and returns how many. Not one transaction:
     * when it fails, some are gone and the rest is not; repeat it. A record that others put meanwhile is removed or
     * not; one that they put afterwards stays.
     */
    public long deleteRange(KeySpan<K> span) {
        long deleted = 0;
        try (Scan<Entry<K, V>> scan = scan(span)) {
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

    /** @throws InvalidRequestException when the key is not of a length that this collection takes */
    Bytes encode(K key) {
        Bytes bytes = keys.encode(key);
        requireKeyFits(bytes, known().keyBytesMax);
        return bytes;
    }

    void requireKeyFits(Bytes key, int bytesMax) {
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

    List<Index<?, K, V>> indexes() {
        return indexes;
    }

    Engine engine() {
        return engine;
    }

    TreeId tree() {
        return known().tree;
    }

    /**
     * The indexes that a write keeps, and the epoch that stands for them.
     *
     * @throws InvalidRequestException when the collection was made with an index that is not declared here
     */
    KeptIndexes<K, V> kept() {
        // A client that checkpoints learns from the leaves that there are new indexes.
        CollectionDefinition newest =
                engine.settings.checkpointing() ? definition() : definitionWithin(engine.settings.ttl());
        KeptIndexes<K, V> last = kept;
        if (last == null || last.definition() != newest) {
            last = KeptIndexes.of(newest, indexes);
            kept = last;
        }
        return last;
    }

    private Known known() {
        Known seen = known;
        if (seen == null) {
            seen = Known.of(engine.catalog.define(wanted()));
            checkedNanos = engine.tasks.nanoTime();
            known = seen;
        }
        return seen;
    }

    /**
     * Makes the indexes that are declared here and that the collection was made without, and writes their entries for
     * all records there are, while other clients go on writing, whether they know of the indexes or not. Idempotent:
     * what was begun by this or another client is gone on with; two may be at it at once. An index can be scanned
     * when its build is done.
     *
     * @param progress told of the progress, from time to time, by the calling thread
     * @throws InvalidRequestException when this client may not create anything, when an index that another client has
     *     begun to build is not declared here, or when an index is dropped meanwhile
     * @throws io.penstock.core.StoreException when something went wrong; build again, it goes on where it stopped
     */
    public void build(Consumer<BuildProgress> progress) {
        engine.requireWritable();
        definition();
        engine.join();
        new IndexBuild(this, progress).run();
    }

    /** As {@link #build(Consumer)}, telling nobody. */
    public void build() {
        build(progress -> {});
    }

    /**
     * Drops an index. Clients that declare it go on without it; those that run keep its entries for a while, which are
     * thrown away. An index of the same name may be built again.
     *
     * @throws InvalidRequestException when the collection has no such index
     */
    public void dropIndex(String indexName) {
        engine.requireWritable();
        definition();
        CollectionDefinition before = engine.catalog.refresh(name).orElseThrow();
        IndexDefinition index = before.index(indexName)
                .orElseThrow(() -> new InvalidRequestException(
                        "the collection has no such index; check its name", "collection", name, "index", indexName));
        engine.catalog.change(
                name,
                definition ->
                        definition.index(indexName).filter(index::isSameTree).isPresent()
                                ? definition.dropping(index)
                                : definition);
    }

    /** What the store is known to have of this collection; written to the store if it had nothing. */
    CollectionDefinition definition() {
        known();
        return engine.catalog.find(name).orElseThrow();
    }

    /** The definition, asked for no longer than that ago. */
    CollectionDefinition definitionWithin(Duration age) {
        CollectionDefinition last = definition();
        if (engine.tasks.nanoTime() - checkedNanos < age.toNanos()) {
            return last;
        }
        CollectionDefinition fresh = engine.catalog.refresh(name).orElse(last);
        checkedNanos = engine.tasks.nanoTime();
        return fresh;
    }

    private CollectionDefinition wanted() {
        List<IndexDefinition> wanted = new ArrayList<>();
        for (Index<?, K, V> index : indexes) {
            wanted.add(new IndexDefinition(index.name(), newTree().hex(), index.searchKeyName()));
        }
        return Catalog.definition(name, newTree(), keys.name(), engine.settings.pageBytes(), wanted);
    }

    TreeId newTree() {
        return new TreeId(engine.tasks.random().nextLong());
    }

    /** The primary key and payload bytes of a record as a typed entry. */
    Entry<K, V> entry(Bytes key, Bytes payload) {
        return new Entry<>(keys.decode(key), payloads.decode(payload));
    }
}
