package io.penstock;

import io.penstock.core.Bytes;
import io.penstock.core.seal.ValueSeal;

/** A codec whose payloads are encrypted, each as a whole; see {@link PayloadCodec#sealed}. */
record SealedCodec<V>(PayloadCodec<V> plain, ValueSeal seal) implements PayloadCodec<V> {
    @Override
    public Bytes encode(V value) {
        return seal.seal(plain.encode(value));
    }

    @Override
    public V decode(Bytes bytes) {
        return plain.decode(seal.open(bytes));
    }

    @Override
    public boolean same(V one, V other) {
        return plain.same(one, other);
    }
}
