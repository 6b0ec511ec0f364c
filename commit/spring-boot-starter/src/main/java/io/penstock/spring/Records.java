package io.penstock.spring;

import io.penstock.CoveringIndex;
import io.penstock.Entry;
import io.penstock.Index;
import io.penstock.KeySpan;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A collection as a bean: what it does belongs to the transaction of the thread, if there is one. {@link
 * PenstockTemplate#records} makes it. Lists are read whole; give their spans a limit.
 *
 * <p>Safe for use by many threads.
 */
public final class Records<K, V> {
    private final PenstockTemplate store;
    private final RecordCollection<K, V> collection;

    Records(PenstockTemplate store, RecordCollection<K, V> collection) {
        this.store = store;
        this.collection = collection;
    }

    /** The collection itself, for {@link PenstockTemplate#execute}. */
    public RecordCollection<K, V> collection() {
        return collection;
    }

    /** One record, or empty when there is none. */
    public Optional<V> get(K key) {
        return store.run(true, transaction -> transaction.get(collection, key));
    }

    /** Reads many records by their keys; those that are not there are left out. */
    public Map<K, V> getAll(Collection<K> keys) {
        return store.run(true, transaction -> transaction.getAll(collection, keys));
    }

    /** Writes one record, replacing what was there. */
    public void put(K key, V value) {
        store.run(false, transaction -> {
            transaction.put(collection, key, value);
            return true;
        });
    }

    /** Removes one record; nothing happens when there is none. */
    public void delete(K key) {
        store.run(false, transaction -> {
            transaction.delete(collection, key);
            return true;
        });
    }

    /** The records of a span of keys. */
    public List<V> list(KeySpan<? super K> span) {
        return store.run(true, transaction -> values(transaction.scan(collection, span)));
    }

    /** The records with this search key. */
    public <I> List<V> list(Index<I, K, V> index, I searchKey) {
        return store.run(true, transaction -> values(transaction.scan(index, searchKey)));
    }

    /** The records of a span of search keys. */
    public <I> List<V> list(Index<I, K, V> index, KeySpan<? super I> span) {
        return store.run(true, transaction -> values(transaction.scan(index, span)));
    }

    /** The rows of a span of search keys. */
    public <I, P> List<P> list(CoveringIndex<I, K, V, P> index, KeySpan<? super I> span) {
        return store.run(true, transaction -> values(transaction.scan(index, span)));
    }

    private static <K, T> List<T> values(Scan<Entry<K, T>> scan) {
        try (scan;
                Stream<Entry<K, T>> entries = scan.stream()) {
            return entries.map(Entry::value).toList();
        }
    }
}
