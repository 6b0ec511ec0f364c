package io.penstock;

import io.penstock.commit.protocol.Committed;
import io.penstock.commit.session.LayeredReader;
import io.penstock.commit.session.Overlay;
import io.penstock.core.Bytes;
import io.penstock.core.ClosedException;
import io.penstock.core.ConflictException;
import java.util.Optional;

/**
 * The scope of client-side consistency: within a session, at MONOTONIC and ATOMIC, a transaction sees what earlier ones
 * have committed, and never sees an older state than an earlier one has seen. A store handle has one default session;
 * more are for programs that serve several users at once.
 *
 * <p>Safe for use by many threads.
 */
public final class Session implements AutoCloseable {
    /** How often {@link #transact} runs a body whose commit was refused by a conflict. */
    private static final int ATTEMPTS_MAX = 8;

    private final Engine engine;
    private final Overlay overlay;
    private final LayeredReader reader;
    private volatile boolean closed;

    Session(Engine engine) {
        this.engine = engine;
        this.overlay = engine.newOverlay();
        this.reader = new LayeredReader(
                engine.trees::records, engine.foreground.pages(), engine.foreground.overflows(), overlay, engine.clock);
    }

    /** A transaction at the store's level. */
    public Transaction begin() {
        return begin(engine.settings.level());
    }

    public Transaction begin(ConsistencyLevel level) {
        requireOpen();
        return new Transaction(engine, this, level, reader);
    }

    /** Runs {@code body} in a transaction at the store's level, and commits. */
    public <T> T transact(TransactionBody<T> body) {
        return transact(engine.settings.level(), body);
    }

    /**
     * Runs {@code body} in a transaction and commits. A conflict makes it run again, a few times; any other failure,
     * and whatever the body throws, aborts it and is thrown.
     */
    public <T> T transact(ConsistencyLevel level, TransactionBody<T> body) {
        for (int attempt = 1; ; attempt++) {
            try (Transaction transaction = begin(level)) {
                T result = body.run(transaction);
                transaction.commit();
                return result;
            } catch (ConflictException conflict) {
                if (attempt == ATTEMPTS_MAX) {
                    throw conflict;
                }
            }
        }
    }

    /** One record, as a transaction without writes sees it. */
    <K, V> Optional<V> find(RecordCollection<K, V> collection, K key) {
        requireOpen();
        Bytes payload = reader.find(collection.tree(), collection.encode(key));
        return payload == null
                ? Optional.empty()
                : Optional.ofNullable(collection.payloads().decode(payload));
    }

    private void requireOpen() {
        engine.requireOpen();
        if (closed) {
            throw new ClosedException("the session was closed; begin another");
        }
    }

    void commit(ConsistencyLevel level, Committed transaction) {
        overlay.prepare(engine.tasks.nanoTime());
        if (level.ordered()) {
            overlay.requireRoom();
        }
        engine.protocols.of(level).commit(transaction);
        if (level.ordered()) {
            overlay.add(transaction);
        }
    }

    /** Ends the session: what it has committed stays, the promise to see it at once ends. */
    @Override
    public void close() {
        closed = true;
        engine.forget(overlay);
    }
}
