package io.penstock;

import io.penstock.commit.engine.SessionParts;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.commit.session.SessionState;
import io.penstock.core.ClosedException;
import io.penstock.core.ConflictException;
import io.penstock.core.Stamp;

/**
 * A scope of client-side consistency: within a session, at MONOTONIC and ATOMIC, a transaction sees what earlier ones
 * have committed, and never an older state than an earlier one has seen. A store handle has one default session; more
 * are for programs that serve several users at once:
 *
 * <pre>{@code
 * try (Session session = store.newSession()) {
 *     session.transact(transaction -> {
 *         transaction.put(books, "1", book);
 *         return true;
 *     });
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads.
 */
public final class Session implements AutoCloseable {
    /** The most times that {@link #transact} runs a body whose commits conflict. */
    private static final int ATTEMPTS_MAX = 8;

    private final SessionParts parts;
    private final ConsistencyLevel level;
    private final SessionState state;
    private final Reads reads;
    private volatile boolean closed;

    /** @param level of transactions that do not choose one */
    Session(SessionParts parts, ConsistencyLevel level) {
        this.parts = parts;
        this.level = level;
        this.state = parts.open();
        this.reads = new Reads(state.reader(), WriteSet.none());
    }

    /** A transaction at the store's level. Commit or close it. */
    public Transaction begin() {
        return begin(level);
    }

    /** A transaction at a level of its own. Commit or close it. */
    public Transaction begin(ConsistencyLevel chosen) {
        requireOpen();
        return new Transaction(this, chosen, parts, state.reader());
    }

    /** As {@link #transact(ConsistencyLevel, TransactionBody)}, at the store's level. */
    public <T> T transact(TransactionBody<T> body) {
        return transact(level, body);
    }

    /**
     * Runs {@code body} in a transaction and commits. After a conflict it runs again, up to 8 times in all; any other
     * exception aborts the transaction and is thrown. A body that commits or aborts
     * the transaction itself has the last word: nothing is committed after it.
     */
    public <T> T transact(ConsistencyLevel chosen, TransactionBody<T> body) {
        for (int attempt = 1; ; attempt++) {
            try (Transaction transaction = begin(chosen)) {
                T result = body.run(transaction);
                if (!transaction.isOver()) {
                    transaction.commit();
                }
                return result;
            } catch (ConflictException conflict) {
                if (attempt == ATTEMPTS_MAX) {
                    throw conflict;
                }
            }
        }
    }

    /** The reads of transactions without writes, which need no transaction. */
    Reads reads() {
        requireOpen();
        return reads;
    }

    private void requireOpen() {
        parts.handle().requireOpen();
        if (closed) {
            throw new ClosedException("the session was closed; begin another");
        }
    }

    Stamp commit(ConsistencyLevel chosen, WriteSet writes) {
        return parts.committer().commit(chosen.name(), chosen.protocol(parts.protocols()), state, writes);
    }

    /** Ends the session: its commits stay, but are no longer promised to be visible at once. */
    @Override
    public void close() {
        closed = true;
        state.close();
    }
}
