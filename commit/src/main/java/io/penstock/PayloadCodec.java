package io.penstock;

import io.penstock.core.Bytes;

/** Turns values into payload bytes and back. Implementations are safe for use by many threads. */
public interface PayloadCodec<V> {
    Bytes encode(V value);

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
