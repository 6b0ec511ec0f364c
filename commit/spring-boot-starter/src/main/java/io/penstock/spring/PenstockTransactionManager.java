package io.penstock.spring;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Session;
import io.penstock.Transaction;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.SmartTransactionObject;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's transactions on a store: {@code @Transactional} and {@code TransactionTemplate}. What the
 * store's collections, {@link PenstockTemplate} and {@link Records} do meanwhile on the same thread belongs to the
 * transaction.
 *
 * <p>Isolation: the default is the store's level; REPEATABLE_READ is SNAPSHOT, SERIALIZABLE is SERIALIZABLE;
 * READ_COMMITTED and READ_UNCOMMITTED are the store's level if it isolates, else ATOMIC. A transaction that only reads
 * has its writes refused. One that has timed out fails at its next call, or at its commit. Nested transactions
 * (NESTED) are refused; REQUIRES_NEW is another transaction, which does not see what the outer one has written. A
 * conflict is an {@link org.springframework.dao.OptimisticLockingFailureException}, from any call or from the commit:
 * run the method again. What listens to the end of a transaction is no longer in it.
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
        scope.bound = (BoundTransaction) TransactionSynchronizationManager.getResource(store);
        return scope;
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
        Transaction begun = PenstockExceptionTranslator.translating(() -> begin(session, chosen, readOnly));
        begun.bind();
        BoundTransaction bound = new BoundTransaction(begun, readOnly);
        int seconds = determineTimeout(definition);
        if (seconds != TransactionDefinition.TIMEOUT_DEFAULT) {
            bound.setTimeoutInSeconds(seconds);
        }
        bound.setSynchronizedWithTransaction(true);
        ((Scope) transaction).bound = bound;
        TransactionSynchronizationManager.bindResource(store, bound);
    }

    private static Transaction begin(Session session, @Nullable ConsistencyLevel chosen, boolean readOnly) {
        if (chosen == null) {
            return readOnly ? session.beginRead() : session.begin();
        }
        return readOnly ? session.beginRead(chosen) : session.begin(chosen);
    }

    /** Returns the level for Spring's isolation; null for the store's level. */
    static @Nullable ConsistencyLevel level(int isolation, ConsistencyLevel ofStore) {
        return switch (isolation) {
            case TransactionDefinition.ISOLATION_SERIALIZABLE -> ConsistencyLevel.SERIALIZABLE;
            case TransactionDefinition.ISOLATION_REPEATABLE_READ -> ConsistencyLevel.SNAPSHOT;
            case TransactionDefinition.ISOLATION_READ_COMMITTED, TransactionDefinition.ISOLATION_READ_UNCOMMITTED ->
                ofStore.isolates() ? null : ConsistencyLevel.ATOMIC;
            default -> null;
        };
    }

    @Override
    protected Object doSuspend(Object transaction) {
        Scope scope = (Scope) transaction;
        scope.require().transaction().unbind();
        scope.bound = null;
        return TransactionSynchronizationManager.unbindResource(store);
    }

    @Override
    protected void doResume(@Nullable Object transaction, Object suspended) {
        TransactionSynchronizationManager.bindResource(store, suspended);
        ((BoundTransaction) suspended).transaction().bind();
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        BoundTransaction bound = ((Scope) status.getTransaction()).require();
        try {
            Transaction transaction = bound.inTime();
            if (bound.isReadOnly()) {
                transaction.close();
            } else {
                PenstockExceptionTranslator.translating(transaction::commit);
            }
        } finally {
            unbind(bound);
        }
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        BoundTransaction bound = ((Scope) status.getTransaction()).require();
        try {
            bound.transaction().abort();
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
        TransactionSynchronizationManager.unbindResourceIfPossible(store);
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
