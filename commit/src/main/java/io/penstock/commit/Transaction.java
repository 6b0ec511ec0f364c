package io.penstock.commit;

import io.penstock.core.Stamp;
import java.util.Optional;

public final class Transaction implements AutoCloseable {
    public ConsistencyLevel level() {
        throw new UnsupportedOperationException();
    }

    public <K, V> Optional<V> get(Collection<K, V> collection, K key) {
        throw new UnsupportedOperationException();
    }

    public <K, V> void put(Collection<K, V> collection, K key, V value) {
        throw new UnsupportedOperationException();
    }

    public <K, V> void delete(Collection<K, V> collection, K key) {
        throw new UnsupportedOperationException();
    }

    public <K, V> Scan<Entry<K, V>> scan(Collection<K, V> collection, KeySpan<K> span) {
        throw new UnsupportedOperationException();
    }

    public <I, K, V> Scan<Entry<K, V>> scan(Index<I, K, V> index, I searchKey) {
        throw new UnsupportedOperationException();
    }

    public <I, K, V> Scan<Entry<K, V>> scan(Index<I, K, V> index, KeySpan<I> span) {
        throw new UnsupportedOperationException();
    }
    /** Commits; returns the stamp that all its log records carry. */
    public Stamp commit() {
        throw new UnsupportedOperationException();
    }

    public void abort() {
        throw new UnsupportedOperationException();
    }
    /** Aborts, unless it was committed. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
