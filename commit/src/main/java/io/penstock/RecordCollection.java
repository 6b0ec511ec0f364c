package io.penstock;

import io.penstock.commit.bulk.BulkLoad;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.Declaration;
import io.penstock.commit.catalog.NameRule;
import io.penstock.commit.domain.Domains;
import io.penstock.commit.engine.CollectionFacts;
import io.penstock.commit.indexing.CollectionParts;
import io.penstock.commit.query.KeyShape;
import io.penstock.commit.query.Progress;
import io.penstock.commit.query.Subject;
import io.penstock.commit.settings.Bounds;
import io.penstock.core.Bytes;
import io.penstock.core.Compression;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.ByteRange;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.page.StoredPage;
import io.penstock.core.pool.BufferPool;
import io.penstock.feed.Change;
import io.penstock.query.Condition;
import io.penstock.query.Fields;
import io.penstock.query.Query;
import io.penstock.query.QueryPlan;
import io.penstock.query.ValueField;
import io.penstock.report.BuildProgress;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A named set of records, in the order of their keys, and its secondary indexes. A view: it holds codecs, no data. Its
 * first read or write creates it in the store; from then on every client must define it alike, except for indexes that
 * are built or dropped later.
 *
 * <p>The methods that read and write here are transactions of their own, at the store's level. Each throws {@link
 * InvalidRequestException} for a bad key or value, and whatever {@link Transaction#commit} throws. Safe for use by many
 * threads.
 */
public final class RecordCollection<K, V> {
    /** The largest payload, in bytes: 100 MiB. */
    public static final int PAYLOAD_BYTES_MAX = (int) OverflowStore.PAYLOAD_BYTES_MAX;

    /** The domain of collections that declare none, where the store's level needs one. */
    public static final String MAIN_DOMAIN = "main";

    private final Penstock store;
    private final CollectionParts parts;
    private final String name;
    private final KeyCodec<K> keys;
    private final Reads.CheckedPayloads<V> payloads;
    private final Declaration declaration;
    private final List<Index<?, K, V>> indexes = new ArrayList<>();
    private volatile @Nullable Duration timeToLive;
    private volatile @Nullable Function<? super V, ? extends K> keyOf;
    private volatile @Nullable Function<? super V, ? extends @Nullable Instant> expiry;
    private volatile @Nullable Versions<V> versions;
    private volatile Fields fields = Fields.NONE;
    private final KeptIndexes.Known<K, V> known = new KeptIndexes.Known<>();

    RecordCollection(Penstock store, CollectionParts parts, String name, KeyCodec<K> keys, PayloadCodec<V> payloads) {
        this.store = store;
        this.parts = parts;
        this.name = name;
        this.keys = keys;
        this.payloads = new Reads.CheckedPayloads<>(name, payloads);
        this.declaration = new Declaration(
                parts.catalog(),
                parts.tasks(),
                name,
                keys.name(),
                parts.settings().paging().pageBytes(),
                store.session().isolates() ? MAIN_DOMAIN : null);
    }

    /** The name under which it was opened, unique within the store. */
    public String name() {
        return name;
    }

    /**
     * Declares how the pages of a new collection and of its indexes are compressed, not at all without this call, and
     * returns this collection. An existing one must be the same, or changed by {@link Admin#repage} since. Payloads
     * with objects of their own are not compressed.
     *
     * @throws InvalidRequestException when the collection is in use already, or the library is not on the class path
     */
    public RecordCollection<K, V> compressed(Compression by) {
        StoredPage.requireUsable(by);
        declaration.compressed(by);
        return this;
    }

    /**
     * Sets the life of records that this object puts or loads, a millisecond to a hundred years, and returns this
     * collection. Afterwards they are as if deleted, and compaction removes them. Other programs do not learn of this.
     */
    public RecordCollection<K, V> expiresAfter(Duration value) {
        timeToLive = TimeToLive.require(value);
        return this;
    }

    /**
     * Declares the time at which a record expires by its value, for those that this object puts, and returns this
     * collection. Null, or a time more than a hundred years from now: as {@link #expiresAfter} says, or never. Such
     * records are not loaded in bulk.
     */
    public RecordCollection<K, V> expiresAt(Function<? super V, ? extends @Nullable Instant> time) {
        expiry = Bounds.requirePresent("time", time);
        return this;
    }

    /**
     * Declares the key that a value has, for {@link #put(Object)} and {@link #remove}, and returns this collection. A
     * put under another key is refused.
     */
    public RecordCollection<K, V> keyedBy(Function<? super V, ? extends K> key) {
        keyOf = Bounds.requirePresent("key", key);
        return this;
    }

    /**
     * Declares versions, and returns this collection: a put stores the next version of its value, and is refused when
     * the record has another version than the value, since others have changed it. So edits of what was shown to a user
     * do not overwrite each other. The collection must belong to a domain. Programs that do not declare versions put
     * values as they are.
     *
     * @param version of a value; 0 in one that is new
     * @param with copies a value with another version
     * @throws InvalidRequestException when the collection is in use already, or belongs to no domain
     */
    public RecordCollection<K, V> versioned(
            ToLongFunction<? super V> version, BiFunction<? super V, Long, ? extends V> with) {
        declaration.requireDomain("a version");
        versions = new Versions<>(version, with);
        return this;
    }

    /**
     * Declares the domain whose commit log all changes of the collection go through, and returns this collection. A
     * new collection is made in it; an existing one must belong to it. Without this call a new collection belongs to
     * {@link #MAIN_DOMAIN} if the store's level is SNAPSHOT or SERIALIZABLE, and to none otherwise.
     *
     * @param value 1 to 32 of a-z 0-9 -
     * @throws InvalidRequestException when the collection is in use already
     */
    public RecordCollection<K, V> inDomain(String value) {
        declaration.domain(Domains.requireName(value));
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
        NameRule.require("index", indexName);
        declaration.index(indexName, searchKeys.name());
        Index<I, K, V> index = new Index<>(this, store, indexName, searchKeys, by);
        indexes.add(index);
        return index;
    }

    /**
     * Declares a secondary index by several fields, in their order, for {@link #query}. Records where the first is null
     * are left out; other nulls come last. Search keys are lists of values; {@link KeySpan#startingWith} takes a part.
     */
    @SafeVarargs
    public final Index<List<@Nullable Object>, K, V> index(
            String indexName, ValueField<V, ?> first, ValueField<V, ?> second, ValueField<V, ?>... more) {
        FieldKeys<V> keysOf = FieldKeys.of(first, second, more);
        return index(indexName, keysOf, keysOf::values);
    }

    /**
     * The index of a name that is declared here, such as one of an annotated class.
     *
     * @param <I> the class of its search keys; one of another class is refused when it is used
     * @throws InvalidRequestException when none of this name is declared
     */
    @SuppressWarnings("unchecked") // a search key of another class is refused by the codec
    public <I> Index<I, K, V> index(String indexName) {
        return (Index<I, K, V>) indexes.stream()
                .filter(index -> index.name().equals(indexName))
                .findFirst()
                .orElseThrow(() -> new InvalidRequestException(
                        ErrorCode.UNDECLARED_INDEX,
                        "no such index is declared; correct the name",
                        "collection",
                        name,
                        "index",
                        indexName));
    }

    /**
     * Declares typed fields of the records for {@link #query}, in place of those declared before, and returns this
     * collection. The store does not know them; any program may declare others, at any time.
     *
     * @throws InvalidRequestException when the key has no such part
     */
    public RecordCollection<K, V> declare(Fields declared) {
        KeyShape shape = KeyShape.of(keys.name());
        Bounds.requirePresent("fields", declared).all().forEach(shape::require);
        fields = declared;
        store.declared(this);
        return this;
    }

    /**
     * The names of the codecs of the key's parts, in order: one, unless the key is a pair. Those of a collection that
     * was opened by {@link Penstock#rawCollection} are as the store has them.
     */
    public List<String> keyTypes() {
        return KeyShape.of(keys.name()).codecs();
    }

    /** The fields that are declared; {@link Fields#NONE} without any. */
    public Fields fields() {
        return fields;
    }

    /**
     * The rows of a query; see {@link Transaction#query(RecordCollection, Query)}. Outside of transactions they are of
     * one state at SNAPSHOT and SERIALIZABLE, as those of {@link #scan(KeySpan)} are.
     *
     * @throws InvalidRequestException when the query has a field that is not declared here
     */
    public Rows query(Query query) {
        Progress progress = progress();
        return new Rows(
                store.session().scan(this, reads -> new QueryReader<>(this, reads, progress).rows(query)), progress);
    }

    /** The records that fulfil a condition; see {@link #query}. */
    public Scan<Entry<K, V>> find(Condition condition) {
        return store.session().scan(this, reads -> new QueryReader<>(this, reads, progress()).find(condition));
    }

    /** Returns the plan of a query as {@link #query} would follow it now, with its estimated cost. */
    public QueryPlan plan(Query query) {
        return store.session().read(this, reads -> new QueryReader<>(this, reads, progress()).plan(query));
    }

    /**
     * Divides a query into parts, for several threads or machines: those of {@link Penstock#at one state} have the rows
     * of the query, each once, and their order is that of the keys. A query that an index answers, or one page, stays
     * whole.
     *
     * @param most the largest number of parts
     */
    public List<Query> parts(Query query, int most) {
        Bounds.requireRange("parts", most, 1, Integer.MAX_VALUE);
        return store.session().read(this, reads -> new QueryReader<>(this, reads, progress()).parts(query, most));
    }

    /**
     * The place in the commit log of this collection's domain after all that was acknowledged, to anyone; see {@link
     * Penstock#position}.
     *
     * @throws InvalidRequestException when it is in no domain
     */
    public String position() {
        String domain = declaration.definition().domain();
        if (domain == null) {
            throw new InvalidRequestException(
                    ErrorCode.DOMAIN_MISMATCH,
                    "a collection without a domain has no commit log, and so no positions; move it with Admin.moveInto",
                    "collection",
                    name);
        }
        return store.position(domain);
    }

    /** The progress of a query that begins now. */
    Progress progress() {
        BufferPool pool = parts.loads().pages().pool();
        return new Progress(() -> pool.stats().misses() + pool.stats().revalidations(), parts.tasks()::nanoTime);
    }

    /** A place for one record after the other, to look at their fields. */
    Subject<K, V> subject() {
        return new Subject<>(KeyShape.of(keys.name()), keys::decode, payloads::decode);
    }

    /**
     * The level of this collection's methods. The collection is made if the store does not have it.
     *
     * @throws InvalidRequestException when it cannot be used as it is declared, or not at the store's level
     */
    public ConsistencyLevel level() {
        return store.session().level(facts().definition());
    }

    /** One record, or empty when there is none. */
    public Optional<V> get(K key) {
        return store.session().reads(this).get(this, key);
    }

    /**
     * Puts a value under its own key, and returns it as it is stored: with the next version, if it has one.
     *
     * @throws InvalidRequestException when the collection does not know the keys of values ({@link #keyedBy})
     * @throws io.penstock.core.ConflictException of code {@link io.penstock.core.ErrorCode#STALE_VERSION} when the
     *     record has another version
     */
    public V put(V value) {
        return store.session().write(this, versions != null, transaction -> transaction.put(this, value));
    }

    /** Removes the record of a value; nothing happens when there is none. Otherwise like {@link #put(Object)}. */
    public void remove(V value) {
        write(versions != null, transaction -> transaction.remove(this, value));
    }

    /** Writes one record, replacing what was there. */
    public void put(K key, V value) {
        write(false, transaction -> transaction.put(this, key, value));
    }

    /** Puts a record with a life of its own, as {@link Transaction#put} does. */
    public void put(K key, V value, Duration lives) {
        write(false, transaction -> transaction.put(this, key, value, lives));
    }

    private void write(boolean isolated, Consumer<Transaction> change) {
        boolean unused = store.session().write(this, isolated, transaction -> {
            change.accept(transaction);
            return true;
        });
    }

    /**
     * Changes one record by what it is, and returns what it is then; empty stands for no record. Isolated: at the
     * store's level, or at SERIALIZABLE if that does not isolate. The function may run again.
     */
    public Optional<V> update(K key, Function<? super Optional<V>, Optional<V>> change) {
        return store.session().update(this, key, change);
    }

    /** Writes a record if there is none, and returns whether it did. Isolated as {@link #update}. */
    public boolean putIfAbsent(K key, V value) {
        return store.session().putIfAbsent(this, key, value);
    }

    /** Replaces a record if its bytes are the expected ones, before they are sealed. Isolated as {@link #update}. */
    public boolean replace(K key, V expected, V value) {
        return store.session().replace(this, key, expected, value);
    }

    /** Adds to a counter, which begins at 0, and returns the sum, a long. Isolated as {@link #update}. */
    public static <K> long increment(RecordCollection<K, Long> counters, K key, long by) {
        return counters.update(key, count -> Optional.of(Bounds.requireSum(counters.name, count.orElse(0L), by)))
                .orElseThrow();
    }

    /** Puts a record with the payload from a stream; see {@link Transaction#putStream}. */
    public void putStream(K key, InputStream payload) {
        store.session().putStream(this, key, payload);
    }

    /** Opens the payload of a record as a stream; see {@link Transaction#open(RecordCollection, Object)}. */
    public Optional<InputStream> open(K key) {
        return store.session().reads(this).open(this, encode(key), ByteRange.ALL);
    }

    /** Opens a part of the payload of a record as a stream. */
    public Optional<InputStream> open(K key, long offset, long length) {
        ByteRange range = ByteRange.of(offset, length);
        return store.session().reads(this).open(this, encode(key), range);
    }

    /** The size of the payload of a record, in bytes; see {@link Transaction#payloadBytes}. */
    public OptionalLong payloadBytes(K key) {
        return store.session().reads(this).payloadBytes(this, key);
    }

    /** Appends bytes to the payload of a record; see {@link Transaction#append}. */
    public void append(K key, Bytes more) {
        write(false, transaction -> transaction.append(this, key, more));
    }

    /** Removes one record; nothing happens when there is none. */
    public void delete(K key) {
        write(false, transaction -> transaction.delete(this, key));
    }

    /** The records of a span of keys. */
    public Scan<Entry<K, V>> scan(KeySpan<? super K> span) {
        return store.session().scan(this, reads -> reads.scan(this, span));
    }

    /** Reads the records of many keys; see {@link Transaction#getAll}. */
    public Map<K, V> getAll(Collection<K> wanted) {
        return store.session().read(this, reads -> reads.getAll(this, wanted));
    }

    /**
     * Removes the records of a span of keys in transactions of a thousand, and returns how many they were. After a
     * failure some are gone; repeat it. A record that others put meanwhile may or may not be removed.
     */
    public long deleteRange(KeySpan<? super K> span) {
        return store.session().deleteRange(this, span);
    }

    /**
     * Fills this collection, which must be new or empty, and its indexes, without log records. The records may come in
     * any order: they are sorted, in temporary files if memory does not hold them. Of records with one key the last one
     * counts. All are there when this returns, and none after a failure or a crash; then repeat it. Records that others
     * commit meanwhile are kept: if one is applied before the load is done, the load fails; one applied later wins if
     * it is younger than the start of the load.
     *
     * @param progress receives the number of records read, from time to time
     * @return the number of records read
     * @throws InvalidRequestException when it has records, or traces of deleted ones, or belongs to a domain
     * @throws io.penstock.core.ConflictException when another client wrote to the collection meanwhile
     */
    public long load(Iterator<Entry<K, V>> records, LongConsumer progress) {
        return load(records, BulkLoad.FILL_PERCENT, BulkLoad.WIDTH, progress);
    }

    /**
     * Fills this collection as {@link #load(Iterator, LongConsumer)} does, which fills pages to 90 %, 16 at a time.
     *
     * @param fillPercent the fill of pages, in percent, 10 to 100
     * @param width the number of pages put at a time, 1 to 256; each takes memory for one page
     */
    public long load(Iterator<Entry<K, V>> records, int fillPercent, int width, LongConsumer progress) {
        store.session().requireOutside("load");
        return parts.handle().whileOpen(() -> {
            parts.handle().requireWritable();
            return kept().load(this, records, new BulkLoad.Shape(fillPercent, width), progress);
        });
    }

    /** Whether {@link #load} may fill this collection: its pages have no records, and no traces of deleted ones. */
    public boolean isLoadable() {
        parts.handle().requireOpen();
        return declaration.definition().domain() == null && parts.loads().isEmpty(tree());
    }

    Bytes encode(K key) {
        return encode(key, facts());
    }

    Bytes encode(K key, CollectionFacts facts) {
        Reads.CheckedPayloads.requireNotNull(name, "key", key);
        Bytes bytes = KeySpan.encode(keys, key);
        facts.requireKey(bytes);
        return bytes;
    }

    KeyCodec<K> keys() {
        return keys;
    }

    PayloadCodec<V> payloads() {
        return payloads;
    }

    CollectionParts parts() {
        return parts;
    }

    List<Index<?, K, V>> indexes() {
        return indexes;
    }

    Penstock store() {
        return store;
    }

    long expiryMillis() {
        return TimeToLive.endMillis(parts, timeToLive);
    }

    long expiryMillis(V value) {
        Function<? super V, ? extends @Nullable Instant> by = expiry;
        return TimeToLive.endMillis(parts, by == null || value == null ? null : by.apply(value), timeToLive);
    }

    boolean looksAtValues() {
        return keyOf != null || versions != null || expiry != null || payloads.codec() instanceof SealedCodec;
    }

    boolean hasExpiries() {
        return expiry != null;
    }

    /** @throws InvalidRequestException when values do not tell their keys */
    K requireKey(V value) {
        Function<? super V, ? extends K> by = keyOf;
        if (by == null) {
            throw new InvalidRequestException(
                    "the collection does not know the keys of values; declare keyedBy, or give the key",
                    "collection",
                    name);
        }
        Reads.CheckedPayloads.requireNotNull(name, "value", value);
        return by.apply(value);
    }

    /** @throws InvalidRequestException when a value has another key */
    void requireOwn(K key, V value) {
        if (keyOf != null && value != null && !encode(requireKey(value)).equals(encode(key))) {
            throw new InvalidRequestException(
                    "a value is put under another key than its own; put it by its own key", "collection", name);
        }
    }

    /** The versions of values; null without. */
    @Nullable
    Versions<V> versions() {
        return versions;
    }

    TreeId tree() {
        return facts().tree();
    }

    CollectionFacts facts(long nowNanos) {
        return known.facts(declaration.definition(nowNanos), indexes);
    }

    CollectionFacts facts() {
        return known.facts(declaration.definition(), indexes);
    }

    /** The definition that was used last, perhaps an old one. */
    CollectionDefinition lastKnown() {
        CollectionFacts last = known.lastFacts();
        return last == null ? declaration.definition() : last.definition();
    }

    /** The indexes that a write keeps, and their epoch; throws if one the collection was made with is not declared. */
    KeptIndexes<K, V> kept() {
        boolean learns = parts.settings().background().checkpointing(); // from leaves that there are new indexes
        Duration age = parts.settings().limits().ttl();
        return known.kept(learns ? declaration.definition() : declaration.within(age), declaration::noted, indexes);
    }

    /**
     * Builds the indexes that are declared here and that the collection was made without. Other clients may write
     * meanwhile, whether they know of the indexes or not. Idempotent: it resumes a build that any client began, and
     * concurrent builds are harmless. An index can be scanned when its build is done.
     *
     * @param progress receives the progress, from time to time, from the calling thread
     * @throws InvalidRequestException when this client may not create anything, when an index that another client has
     *     begun to build is not declared here, or when an index is dropped meanwhile
     */
    public void build(Consumer<BuildProgress> progress) {
        parts.handle().requireWritable();
        store.session().requireOutside("build");
        declaration.definition();
        parts.indexing().build(name, indexes.stream().map(Index::declared).toList(), progress);
    }

    /** Builds the indexes; see {@link #build(Consumer)}. */
    public void build() {
        build(progress -> {});
    }

    Declaration declaration() {
        return declaration;
    }

    /** The key of a change of this collection, from a {@link Penstock#changes} feed. */
    public K decodeKey(Change change) {
        return keys.decode(change.key());
    }

    /** The value of a change of this collection; empty when it has none. */
    public Optional<V> decodeValue(Change change) {
        return change.value().map(payloads::decode);
    }

    Entry<K, V> entry(Bytes key, Bytes payload) {
        return new Entry<>(keys.decode(key), payloads.decode(payload));
    }
}
