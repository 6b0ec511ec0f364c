package io.penstock;

import io.penstock.core.Bytes;
import io.penstock.core.seal.MasterKeys;
import io.penstock.core.seal.ValueSeal;

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

    /** Whether two values have the same bytes; of {@link #sealed} ones, before they are sealed. */
    default boolean same(V one, V other) {
        return encode(one).equals(encode(other));
    }

    /**
     * This codec, with payloads encrypted under one master key, in a store that is encrypted or not. Who destroys the
     * key erases them everywhere: on pages, in logs and queues, in copies and backups; programs that run keep what they
     * have opened until they end. The payload alone is encrypted: keys, index entries and declared fields are as they
     * are, and what an index includes is encrypted if its codec is. Values of one key may be put in each other's place
     * by who can write to the servers; an encrypted store finds that out. Make it once: each has a data key.
     *
     * @param keys that have the master key; with one each for a customer, say, customers can be forgotten one by one
     * @param name of the master key
     */
    default PayloadCodec<V> sealed(MasterKeys keys, String name) {
        return new SealedCodec<>(this, new ValueSeal(keys, name));
    }

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
