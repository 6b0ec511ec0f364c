package io.penstock.commit;

import java.util.Optional;
import java.util.function.Function;

public final class Collection<K, V> {
    public String name() {
        throw new UnsupportedOperationException();
    }
    /** Declares a secondary index: {@code by} gives the search key of a value, or null to leave it out. */
    public <I> Index<I, K, V> index(String name, KeyCodec<I> keys, Function<V, I> by) {
        throw new UnsupportedOperationException();
    }
    /** One record, read outside of any transaction. */
    public Optional<V> get(K key) {
        throw new UnsupportedOperationException();
    }

    public void put(K key, V value) {
        throw new UnsupportedOperationException();
    }

    public void delete(K key) {
        throw new UnsupportedOperationException();
    }

    public Scan<Entry<K, V>> scan(KeySpan<K> span) {
        throw new UnsupportedOperationException();
    }
}
