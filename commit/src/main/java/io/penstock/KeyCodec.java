package io.penstock;

import io.penstock.core.Bytes;

/**
 * Turns keys into bytes and back, so that the order of the bytes (unsigned, lexicographic) is the order of the keys.
 * Implementations are safe for use by many threads.
 */
public interface KeyCodec<K> {
    /** The bytes of {@code key}; 1 to {@link Settings#KEY_BYTES_MAX} of them. */
    Bytes encode(K key);

    /** The key of these bytes. */
    K decode(Bytes bytes);

    /**
     * What the catalog notes of a collection's keys, so that another codec is refused: change it when the bytes change.
     */
    default String name() {
        return "custom";
    }
}
