package io.penstock;

import io.penstock.core.Bytes;

/** A translation of values into payload bytes and back. Implementations are safe for use by many threads. */
public interface PayloadCodec<V> {
    /** The bytes of {@code value}. */
    Bytes encode(V value);

    /**
     * The value of these bytes.
     *
     * @throws io.penstock.core.CorruptDataException when another codec has written them
     */
    V decode(Bytes bytes);

    /** Payloads as they are. */
    static PayloadCodec<Bytes> bytes() {
        return new PayloadCodec<>() {
            @Override
            public Bytes encode(Bytes value) {
                return value;
            }

            @Override
            public Bytes decode(Bytes bytes) {
                return bytes;
            }
        };
    }
}
