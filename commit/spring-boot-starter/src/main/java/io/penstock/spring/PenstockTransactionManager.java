package io.penstock.spring;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Session;
import io.penstock.Transaction;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.SmartTransactionObject;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's transactions on a store: {@code @Transactional} and {@code TransactionTemplate}. What the
 * store's collections, {@link PenstockTemplate} and {@link Records} do meanwhile on the same thread belongs to the
 * transaction; and a method within a body of the store to that of the body.
 *
 * <p>Isolation: the default is the store's level; REPEATABLE_READ is SNAPSHOT, SERIALIZABLE is SERIALIZABLE;
 * READ_COMMITTED and READ_UNCOMMITTED are the store's level if it isolates, else ATOMIC. A transaction that only reads
 * has its writes refused. One that has timed out fails at its next call of the template or {@link Records}, or at its
 * commit. Nested transactions (NESTED) are refused; REQUIRES_NEW is another transaction, which does not see what the
 * outer one has written. A conflict is an {@link org.springframework.dao.OptimisticLockingFailureException}, from any
 * call or from the commit: run the method again. What listens to the end of a transaction is no longer in it.
 *
 * <p>Safe for use by many threads.
 */
public class PenstockTransactionManager extends AbstractPlatformTransactionManager {
    private static final long serialVersionUID = 1;

    private final transient Penstock store;
    private final ConsistencyLevel level;

    /** @param level the store's */
    public PenstockTransactionManager(Penstock store, ConsistencyLevel level) {
        this.store = store;
        this.level = level;
        setNestedTransactionAllowed(false);
        // A commit that fails with an exception of Spring's own was not tried: it came too late.
        setRollbackOnCommitFailure(true);
    }

    private static final class Scope implements SmartTransactionObject {
        private @Nullable BoundTransaction bound;

        private BoundTransaction require() {
            return Objects.requireNonNull(bound, "a transaction that was begun");
        }

        @Override
        public boolean isRollbackOnly() {
            return bound != null && bound.isRollbackOnly();
        }

        @Override
        public void flush() {}
    }

    @Override
    protected Object doGetTransaction() {
        Scope scope = new Scope();
        scope.bound = BoundTransaction.current(store);
        if (scope.bound == null) {
            store.current().ifPresent(current -> scope.bound = enter(current, null));
        }
        return scope;
    }

    /** Makes the transaction of a body of the store, which begins on this thread, one of Spring. */
    void enter(Transaction body) {
        var unused = enter(body, suspend(null));
    }

    /**
     * Makes a transaction that this thread is in one of Spring, whose end is then told to Spring's listeners.
     *
     * @param around the suspended scope, resumed at the end. Scopes end in the opposite order of their beginnings;
     *     one that is not suspended may end before this transaction, so listeners are left to it
     */
    private BoundTransaction enter(Transaction current, @Nullable Object around) {
        BoundTransaction bound = new BoundTransaction(current, BoundTransaction.last(store), null);
        Scope scope = new Scope();
        scope.bound = bound;
        boolean listeners = getTransactionSynchronization() != SYNCHRONIZATION_NEVER
                && !TransactionSynchronizationManager.isSynchronizationActive();
        DefaultTransactionStatus status =
                new DefaultTransactionStatus(null, scope, true, listeners, false, false, false, around);
        prepareSynchronization(status, TransactionDefinition.withDefaults());
        bind(bound);
        current.endBy(commit -> commit(status, bound, commit), () -> rollback(status));
        return bound;
    }

    private Stamp commit(DefaultTransactionStatus status, BoundTransaction bound, Supplier<Stamp> commit) {
        bound.commitBy(commit);
        if (store.current().isEmpty()) {
            bound.transaction().bind(); // for listeners before the commit
        }
        try {
            commit(status);
            return bound.committed();
        } catch (RuntimeException failure) {
            // The store runs a body again after its own conflicts.
            throw bound.isCommitted()
                    ? PenstockExceptionTranslator.translated(failure)
                    : PenstockExceptionTranslator.conflict(failure, store);
        }
    }

    /** A method within another's transaction may ask for no more than that promises. */
    @Override
    protected void prepareSynchronization(DefaultTransactionStatus status, TransactionDefinition definition) {
        ConsistencyLevel least = level(definition.getIsolationLevel(), level);
        if (least != null && status.hasTransaction() && !status.isNewTransaction()) {
            var unused = PenstockExceptionTranslator.translating(store, () -> store.transact(least, joined -> true));
        }
        super.prepareSynchronization(status, definition);
    }

    @Override
    protected boolean isExistingTransaction(Object transaction) {
        return ((Scope) transaction).bound != null;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        Session session = CurrentSession.of(store);
        ConsistencyLevel chosen = level(definition.getIsolationLevel(), level);
        boolean readOnly = definition.isReadOnly();
        Transaction begun = PenstockExceptionTranslator.translating(store, () -> begin(session, chosen, readOnly));
        begun.bind();
        Attempt attempt = Attempt.claim(store, begun, definition);
        BoundTransaction bound = new BoundTransaction(begun, BoundTransaction.last(store), attempt);
        bound.commitBy(() -> readOnly ? closed(begun) : PenstockExceptionTranslator.translating(store, begun::commit));
        int seconds = determineTimeout(definition);
        if (seconds != TransactionDefinition.TIMEOUT_DEFAULT) {
            bound.setTimeoutInSeconds(seconds);
        }
        bound.setSynchronizedWithTransaction(true);
        ((Scope) transaction).bound = bound;
        bind(bound);
    }

    private static Stamp closed(Transaction read) {
        read.close();
        return Stamp.ZERO;
    }

    private void bind(BoundTransaction bound) {
        var unused = TransactionSynchronizationManager.unbindResourceIfPossible(store);
        TransactionSynchronizationManager.bindResource(store, bound);
    }

    private static Transaction begin(Session session, @Nullable ConsistencyLevel chosen, boolean readOnly) {
        if (chosen == null) {
            return readOnly ? session.beginRead() : session.begin();
        }
        return readOnly ? session.beginRead(chosen) : session.begin(chosen);
    }

    /** Returns the level for Spring's isolation; null for the store's level. */
    private static @Nullable ConsistencyLevel level(int isolation, ConsistencyLevel ofStore) {
        return switch (isolation) {
            case TransactionDefinition.ISOLATION_SERIALIZABLE -> ConsistencyLevel.SERIALIZABLE;
            case TransactionDefinition.ISOLATION_REPEATABLE_READ -> ConsistencyLevel.SNAPSHOT;
            case TransactionDefinition.ISOLATION_READ_COMMITTED, TransactionDefinition.ISOLATION_READ_UNCOMMITTED ->
                ofStore.isolates() ? null : ConsistencyLevel.ATOMIC;
            default -> null;
        };
    }

    /** All transactions that a thread was in, the innermost first. */
    private record Suspended(BoundTransaction last, List<Transaction> left) {}

    @Override
    protected Object doSuspend(Object transaction) {
        ((Scope) transaction).bound = null;
        List<Transaction> left = new ArrayList<>();
        for (Transaction in = current(); in != null; in = current()) {
            in.unbind();
            left.add(in);
        }
        return new Suspended((BoundTransaction) TransactionSynchronizationManager.unbindResource(store), left);
    }

    private @Nullable Transaction current() {
        return store.current().orElse(null);
    }

    @Override
    protected void doResume(@Nullable Object transaction, Object suspended) {
        Suspended before = (Suspended) suspended;
        TransactionSynchronizationManager.bindResource(store, before.last());
        before.left().reversed().forEach(Transaction::bind);
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        BoundTransaction bound = ((Scope) status.getTransaction()).require();
        try {
            bound.commit();
        } finally {
            unbind(bound);
        }
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        BoundTransaction bound = ((Scope) status.getTransaction()).require();
        try {
            bound.rollBack();
        } finally {
            unbind(bound);
        }
    }

    /**
     * Unbinds a transaction that is over from its thread, so that listeners to its end can read, write and begin
     * another one.
     */
    private void unbind(BoundTransaction bound) {
        bound.transaction().unbind();
        if (BoundTransaction.last(store) == bound) {
            var unused = TransactionSynchronizationManager.unbindResource(store);
            bound.around().ifPresent(around -> TransactionSynchronizationManager.bindResource(store, around));
        }
    }

    @Override
    protected void doSetRollbackOnly(DefaultTransactionStatus status) {
        ((Scope) status.getTransaction()).require().setRollbackOnly();
    }

    @Override
    protected void doCleanupAfterCompletion(Object transaction) {
        Scope scope = (Scope) transaction;
        unbind(scope.require());
        scope.require().transaction().close();
        scope.bound = null;
    }
}
