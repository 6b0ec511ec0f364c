package io.penstock;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * A payload codec that refuses null both ways: a record that is there has a value, whatever its codec makes of null.
 * Safe for use by many threads.
 */
record CheckedPayloads<V>(String collection, PayloadCodec<V> codec) implements PayloadCodec<V> {
    @Override
    public Bytes encode(V value) {
        requireNotNull(collection, "value", value);
        return codec.encode(value);
    }

    @Override
    public V decode(Bytes payload) {
        V value = codec.decode(payload);
        if (value == null) {
            throw new CorruptDataException(
                    "a payload stands for null, which is no value; was it written with another codec?",
                    "collection",
                    collection,
                    "bytes",
                    payload.length());
        }
        return value;
    }

    static void requireNotNull(String collection, String what, @Nullable Object given) {
        if (given == null) {
            throw new InvalidRequestException("a " + what + " must not be null; give one", "collection", collection);
        }
    }
}
