package io.penstock.spring;

import io.penstock.ConsistencyLevel;
import io.penstock.KeyCodec;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Session;
import io.penstock.TransactionBody;
import io.penstock.core.task.Parallel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.dao.OptimisticLockingFailureException;

/**
 * The way to the store from code that may run in a transaction of Spring: it works in that transaction if there is one,
 * else in one of its own, in the session of the user whom the thread serves. Exceptions are Spring's.
 *
 * <p>Safe for use by many threads.
 */
public final class PenstockTemplate {
    /** The number of collections that are looked at at a time. */
    private static final int WIDTH = 8;

    private final Penstock store;
    private final PenstockTransactionManager scopes;
    private final List<RecordCollection<?, ?>> declared = new CopyOnWriteArrayList<>();
    private volatile boolean started;

    public PenstockTemplate(Penstock store) {
        this.store = store;
        this.scopes = new PenstockTransactionManager(store, ConsistencyLevel.SERIALIZABLE);
    }

    /** A collection with typed keys and values, whose name is unique in the store. */
    public <K, V> Records<K, V> records(String name, KeyCodec<K> keys, PayloadCodec<V> payloads) {
        return records(store.collection(name, keys, payloads));
    }

    /**
     * Returns the records of a collection that was opened before, such as one with a domain, compression or indexes.
     */
    public <K, V> Records<K, V> records(RecordCollection<K, V> collection) {
        if (!started) {
            declared.add(collection);
        }
        return new Records<>(this, collection);
    }

    /**
     * Finds out whether the store works, and whether it has all collections so far as they are declared: what is wrong
     * is told now, and not to the first user.
     */
    void start() {
        started = true;
        store.ping();
        var unused = Parallel.map(store.tasks(), WIDTH, declared, RecordCollection::level);
        declared.clear();
    }

    /**
     * Runs {@code body} in the transaction of this thread; if there is none, in one of its own, which is run again
     * after a conflict. What Spring does on this thread meanwhile takes part, as in a {@code @Transactional} method.
     */
    public <T> T execute(TransactionBody<T> body) {
        return within(body, false);
    }

    /** Runs a body that only reads, and returns its result. */
    public <T> T read(TransactionBody<T> body) {
        return within(body, true);
    }

    private <T> T within(TransactionBody<T> body, boolean readOnly) {
        if (store.current().isPresent()) {
            return run(readOnly, body);
        }
        try (Attempt attempt = new Attempt(store)) {
            return run(readOnly, transaction -> {
                if (attempt.isLast()) {
                    throw new OptimisticLockingFailureException("a conflict, after a method that is not run again");
                }
                scopes.enter(transaction);
                return body.run(transaction);
            });
        }
    }

    /** Runs a body that is the store's alone. */
    <T> T run(boolean readOnly, TransactionBody<T> body) {
        return PenstockExceptionTranslator.translating(store, () -> {
            BoundTransaction bound = BoundTransaction.current(store);
            if (bound != null) {
                bound.requireInTime();
            }
            Session session = CurrentSession.of(store);
            TransactionBody<T> repeatable = transaction -> {
                try {
                    return body.run(transaction);
                } catch (OptimisticLockingFailureException failure) {
                    throw PenstockExceptionTranslator.conflict(failure, store);
                }
            };
            return readOnly ? session.read(repeatable) : session.transact(repeatable);
        });
    }
}
