package io.penstock.commit;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import java.util.List;

public final class Penstock implements AutoCloseable {
    public static Penstock open(Settings settings) {
        throw new UnsupportedOperationException();
    }

    public <K, V> Collection<K, V> collection(String name, KeyCodec<K> keys, PayloadCodec<V> payloads) {
        throw new UnsupportedOperationException();
    }
    /** An existing collection as raw bytes; InvalidRequestException when there is none. */
    public Collection<Bytes, Bytes> records(String name) {
        throw new UnsupportedOperationException();
    }

    public List<String> collections() {
        throw new UnsupportedOperationException();
    }

    public ClientId clientId() {
        throw new UnsupportedOperationException();
    }

    public Session newSession() {
        throw new UnsupportedOperationException();
    }

    public Transaction begin() {
        throw new UnsupportedOperationException();
    }

    public Transaction begin(ConsistencyLevel level) {
        throw new UnsupportedOperationException();
    }

    public <T> T transact(TransactionBody<T> body) {
        throw new UnsupportedOperationException();
    }

    public <T> T transact(ConsistencyLevel level, TransactionBody<T> body) {
        throw new UnsupportedOperationException();
    }
    /** Forwards this client's ATOMIC queue, then checkpoints every PU queue of the store. */
    public CheckpointReport checkpoint() {
        throw new UnsupportedOperationException();
    }
    /** Takes over the transactions of clients that died. */
    public RecoveryReport recover() {
        throw new UnsupportedOperationException();
    }

    public Backlog backlog() {
        throw new UnsupportedOperationException();
    }
    /** Walks every tree and lists each violation, one line each; empty when all is well. */
    public List<String> check() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
