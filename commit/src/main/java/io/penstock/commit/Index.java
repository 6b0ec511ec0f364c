package io.penstock.commit;

public final class Index<I, K, V> {
    public Scan<Entry<K, V>> scan(I searchKey) {
        throw new UnsupportedOperationException();
    }

    public Scan<Entry<K, V>> scan(KeySpan<I> span) {
        throw new UnsupportedOperationException();
    }
}
