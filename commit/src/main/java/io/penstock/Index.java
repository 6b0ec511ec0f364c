package io.penstock;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.commit.catalog.NameRule;
import io.penstock.commit.index.CompositeKey;
import io.penstock.commit.index.IndexEntry;
import io.penstock.commit.indexing.DeclaredIndex;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.query.Field;
import io.penstock.query.KeyField;
import io.penstock.query.Row;
import io.penstock.query.ValueField;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A secondary index: leads to records by a search key that is computed from their value. Several records may have the
 * same search key, unless the index is {@link #unique}.
 *
 * <p>An entry of the index is a record of a tree of its own: search key and primary key together. A
 * put writes the entries of the new value and deletes those of the value it replaces. Transactions that race for one
 * record may leave an entry too many, never one too few; a scan reads the record too, and drops the entry when it does
 * not fit.
 *
 * <p>Safe for use by many threads.
 */
public final class Index<I, K, V> {
    private final RecordCollection<K, V> collection;
    private final Penstock store;
    private final String name;
    private final KeyCodec<I> searchKeys;
    private final Function<? super V, ? extends @Nullable I> by;
    private volatile @Nullable CoveringIndex<I, K, V, ?> covering;
    private volatile @Nullable Carrying<I, K, V> carrying;
    private volatile boolean unique;

    Index(
            RecordCollection<K, V> collection,
            Penstock store,
            String name,
            KeyCodec<I> searchKeys,
            Function<? super V, ? extends @Nullable I> by) {
        this.collection = collection;
        this.store = store;
        this.name = name;
        this.searchKeys = searchKeys;
        this.by = by;
    }

    /** The name, unique within its collection. */
    public String name() {
        return name;
    }

    <T> Scan<T> read(Function<Reads, Scan<T>> open) {
        return store.session().scan(collection, open);
    }

    /** The records with this search key, in the order of their primary keys. */
    public Scan<Entry<K, V>> scan(I searchKey) {
        return read(reads -> new IndexReader<>(this, reads).scan(searchKey));
    }

    /** The records of a span of search keys, in the order of these. */
    public Scan<Entry<K, V>> scan(KeySpan<? super I> span) {
        return read(reads -> new IndexReader<>(this, reads).scan(span));
    }

    /**
     * Makes the entries carry a part of their records from now on, and returns the index as one that needs no records
     * for it. Declare it like the index itself, before the first use of the collection. Programs that declare it, and
     * others that do not, may write to one store: a row without the part is read from its record, until its next put or
     * a {@link Admin#scrub}. A part above a sixteenth of a page is not carried.
     *
     * @param form names what is included; give another name when the codec or the part changes
     * @throws InvalidRequestException when the collection is in use already, or the index includes a part
     */
    public <P> CoveringIndex<I, K, V, P> including(
            String form, PayloadCodec<P> codec, Function<? super V, ? extends P> part) {
        NameRule.require("form", form);
        if (covering != null) {
            throw new InvalidRequestException(
                    "the index includes a part already; make one that has all fields", "index", name, "form", form);
        }
        collection.declaration().including(name, form);
        CoveringIndex<I, K, V, P> made =
                new CoveringIndex<>(this, form, new Reads.CheckedPayloads<>(collection.name(), codec), part);
        covering = made;
        return made;
    }

    /**
     * Makes the entries carry some fields of their records, as {@link #including(String, PayloadCodec, Function)} does
     * a part. In a domain queries that need no other fields of values read no records then, unless the index was added
     * to the collection later, or the collection was moved into its domain.
     *
     * @param form names what is included; give another name when a field changes
     */
    @SafeVarargs
    public final CoveringIndex<I, K, V, Row> including(String form, ValueField<V, ?>... fields) {
        List<Field<?>> carried = List.of(fields);
        CoveringIndex<I, K, V, Row> made = including(form, new RowCodec(carried), value -> {
            @Nullable Object[] values = new Object[fields.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = fields[i].apply(value);
            }
            return new Row(carried, values);
        });
        carrying = new Carrying<>(made, Set.copyOf(carried));
        return made;
    }

    boolean isCovering() {
        return covering != null;
    }

    /** The fields that entries carry, and how they are read. */
    record Carrying<I, K, V>(CoveringIndex<I, K, V, Row> covering, Set<Field<?>> fields) {}

    /** The way to some fields by entries alone, if these have them, exactly as the records do. */
    Optional<Carrying<I, K, V>> carrying(Collection<Field<?>> fields) {
        CollectionDefinition definition = collection.lastKnown();
        boolean exact = definition.domain() != null
                && definition.racedUntil() == 0
                && in(definition).added() == 0;
        return Optional.ofNullable(carrying)
                .filter(has -> exact
                        && fields.stream()
                                .allMatch(field -> field instanceof KeyField<?> || has.fields.contains(field)));
    }

    /**
     * Makes the index unique, so that it allows each search key for one record at most, and returns it. Declare it like
     * the index itself, before the first use of the collection, which must belong to a {@linkplain
     * RecordCollection#inDomain domain}. A put of a second record throws {@link
     * io.penstock.core.DuplicateException}, at SNAPSHOT too. In a collection that was made without it, puts are refused
     * until {@link RecordCollection#build} has made the index unique.
     *
     * @throws InvalidRequestException when the collection is in use already
     */
    public Index<I, K, V> unique() {
        collection.declaration().unique(name);
        unique = true;
        return this;
    }

    boolean isUnique() {
        return unique;
    }

    /**
     * Returns search keys that several records have, in their order: those for which {@link RecordCollection#build}
     * refuses to make the index unique. Run it while no client writes, or look at their records again.
     *
     * @param atMost the maximum number of search keys
     * @throws InvalidRequestException when the store does not have the index
     */
    public List<I> duplicates(int atMost) {
        collection.parts().handle().requireOpen();
        return collection.parts().indexing().duplicates(stored(), declared(), atMost).stream()
                .map(searchKeys::decode)
                .toList();
    }

    /** Whether several records have a search key, in one state of the domain. */
    private boolean isRepeated(Bytes searchKey) {
        return store.transact(
                ConsistencyLevel.SERIALIZABLE,
                transaction -> transaction.scan(this, searchKeys.decode(searchKey)).stream()
                                .limit(2)
                                .count()
                        > 1);
    }

    RecordCollection<K, V> collection() {
        return collection;
    }

    /** The fields that make up its search key, in whose order it is; none if it is of another kind. */
    List<? extends Field<?>> fields() {
        if (searchKeys instanceof FieldKeys<?> several) {
            return several.fields();
        }
        return by instanceof ValueField<?, ?> field && field.type().codec().equals(searchKeys.name())
                ? List.of(field)
                : List.of();
    }

    /** Whether the store has it whole, as far as this client knows. */
    boolean isUsable() {
        return declared()
                .in(collection.lastKnown())
                .filter(IndexDefinition::isReady)
                .isPresent();
    }

    KeyCodec<I> searchKeys() {
        return searchKeys;
    }

    /** The definition of the collection as the store has it now; it has this index. */
    CollectionDefinition stored() {
        CollectionDefinition definition = collection.declaration().within(Duration.ZERO);
        if (declared().in(definition).isEmpty()) {
            throw notThere();
        }
        return definition;
    }

    /** Returns this index without its types. */
    DeclaredIndex declared() {
        return new DeclaredIndex(name, searchKeys.name(), unique, isCovering(), this::isRepeated, this::entryOf);
    }

    /**
     * A definition of the collection that has the index, ready to be scanned.
     *
     * @param sinceNanos the time before which it must not have been read, by the monotonic clock
     * @throws InvalidRequestException when the store does not have it, or not yet whole
     */
    CollectionDefinition ready(OptionalLong sinceNanos) {
        Duration age = collection.parts().settings().limits().ttl();
        if (sinceNanos.isPresent()) {
            long since = collection.parts().tasks().nanoTime() - sinceNanos.getAsLong();
            age = since < age.toNanos() ? Duration.ofNanos(Math.max(0, since)) : age;
        }
        CollectionDefinition known = collection.declaration().within(age);
        if (declared().in(known).filter(IndexDefinition::isReady).isPresent()) {
            return known;
        }
        CollectionDefinition stored = stored();
        IndexDefinition index = in(stored);
        if (!index.isReady()) {
            throw new InvalidRequestException(
                    ErrorCode.INDEX_NOT_READY,
                    "the index is still being built, or being dropped; wait, or go on by RecordCollection.build or"
                            + " Admin.dropIndex",
                    "collection",
                    collection.name(),
                    "index",
                    name,
                    "percent",
                    index.built());
        }
        return stored;
    }

    /** Returns this index in a definition that has it. */
    IndexDefinition in(CollectionDefinition definition) {
        return declared().in(definition).orElseThrow();
    }

    private InvalidRequestException notThere() {
        return new InvalidRequestException(
                ErrorCode.INDEX_NOT_READY,
                "the store does not have this index of the collection; make it with RecordCollection.build",
                "collection",
                collection.name(),
                "index",
                name);
    }

    /** The key of the index entry of a record, or empty when the index leaves it out. */
    Optional<Bytes> entryKey(Bytes primaryKey, V value) {
        I searchKey = by.apply(value);
        return searchKey == null
                ? Optional.empty()
                : Optional.of(CompositeKey.join(searchKeys.encode(searchKey), primaryKey));
    }

    /**
     * The index entry of a record, or empty when the index leaves it out.
     *
     * @param includes whether it may include a part, as the definition says
     */
    Optional<IndexEntry> entry(Bytes primaryKey, V value, boolean includes) {
        CoveringIndex<I, K, V, ?> covers = includes ? covering : null;
        Optional<Bytes> key = entryKey(primaryKey, value);
        return covers == null
                ? key.map(IndexEntry::new)
                : key.map(bytes -> new IndexEntry(
                        bytes, covers.include(value, collection.facts().includedBytesMax())));
    }

    /** The index entry of a stored record, with its part. */
    Optional<IndexEntry> entryOf(Bytes primaryKey, Bytes payload) {
        return entry(primaryKey, collection.payloads().decode(payload), true);
    }
}
