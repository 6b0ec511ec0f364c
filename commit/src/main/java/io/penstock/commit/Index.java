package io.penstock.commit;

import io.penstock.commit.catalog.CollectionDefinition.IndexDefinition;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A secondary index: finds records by a search key that is computed from their value. Several records may have the same
 * search key; uniqueness is not enforced at the levels there are.
 *
 * <p>An entry of the index is a record of a tree of its own: search key and primary key together, without a payload. A
 * put writes the entries of the new value and deletes those of the value it replaces. Transactions that race for one
 * record may leave an entry too many, never one too few; a scan reads the record too, and drops the entry when it does
 * not fit.
 *
 * <p>Safe for use by many threads.
 */
public final class Index<I, K, V> {
    private final Collection<K, V> collection;
    private final Penstock store;
    private final String name;
    private final KeyCodec<I> searchKeys;
    private final Function<? super V, ? extends @Nullable I> by;

    Index(
            Collection<K, V> collection,
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

    public String name() {
        return name;
    }

    /** The records with this search key, in the order of their primary keys. */
    public Scan<Entry<K, V>> scan(I searchKey) {
        return store.begin().scan(this, searchKey);
    }

    /** The records of a span of search keys, in the order of these. */
    public Scan<Entry<K, V>> scan(KeySpan<I> span) {
        return store.begin().scan(this, span);
    }

    Collection<K, V> collection() {
        return collection;
    }

    KeyCodec<I> searchKeys() {
        return searchKeys;
    }

    String searchKeyName() {
        return searchKeys.name();
    }

    TreeId tree() {
        return collection.definition().indexes().stream()
                .filter(index -> index.name().equals(name))
                .map(IndexDefinition::treeId)
                .findFirst()
                .orElseThrow();
    }

    /** The key of the index entry of a record, or empty when the index leaves it out. */
    Optional<Bytes> entryKey(Bytes primaryKey, V value) {
        I searchKey = by.apply(value);
        return searchKey == null
                ? Optional.empty()
                : Optional.of(CompositeKey.join(searchKeys.encode(searchKey), primaryKey));
    }
}
