package io.penstock;

import io.penstock.core.Bytes;

/**
 * A translation of keys into bytes and back, such that the order of the bytes (unsigned, lexicographic) is the order of
 * the keys. Implementations are safe for use by many threads.
 */
public interface KeyCodec<K> {
    /** The bytes of {@code key}; 1 to {@link Settings#KEY_BYTES_MAX} of them. */
    Bytes encode(K key);

    /** The key of these bytes. */
    K decode(Bytes bytes);

    /**
     * The name of this codec in the catalog, so that another one is refused. Change it when the bytes change.
     */
    default String name() {
        return "custom";
    }
}
