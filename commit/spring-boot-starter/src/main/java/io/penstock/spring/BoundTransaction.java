package io.penstock.spring;

import io.penstock.Penstock;
import io.penstock.Transaction;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.Stamp;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction of this thread as {@link PenstockTransactionManager} knows it: begun by it, or by a body of the
 * store. For one thread.
 */
final class BoundTransaction extends ResourceHolderSupport {
    private final Transaction transaction;
    private final @Nullable BoundTransaction around;

    /** The run of a method that this is the transaction of; null if there is none. */
    private final @Nullable Attempt attempt;

    /** The failure of a commit that may have taken effect. */
    private @Nullable RuntimeException unknown;

    private Supplier<Stamp> commit;
    private @Nullable Stamp committed;

    /** @param around the one that was bound to the thread before */
    BoundTransaction(Transaction transaction, @Nullable BoundTransaction around, @Nullable Attempt attempt) {
        this.transaction = transaction;
        this.around = around;
        this.attempt = attempt;
        this.commit = transaction::commit;
    }

    /** The one that was bound last to this thread, which need not be in its transaction now. */
    static @Nullable BoundTransaction last(Penstock store) {
        return (BoundTransaction) TransactionSynchronizationManager.getResource(store);
    }

    /** That of the transaction that this thread is in; null if there is none, or Spring does not know it. */
    static @Nullable BoundTransaction current(Penstock store) {
        Transaction current = store.current().orElse(null);
        BoundTransaction found = current == null ? null : last(store);
        while (found != null && found.transaction != current) {
            found = found.around;
        }
        return found;
    }

    /** @throws org.springframework.transaction.TransactionTimedOutException when its time is over */
    void requireInTime() {
        if (hasTimeout()) {
            // Throws, and marks this for rollback, at the end of the time.
            getTimeToLiveInMillis();
        }
    }

    void commitBy(Supplier<Stamp> how) {
        commit = how;
    }

    void commit() {
        requireInTime();
        try {
            committed = commit.get();
        } catch (OutcomeUnknownException | DataAccessException failure) {
            if (failure instanceof OutcomeUnknownException || failure.getCause() instanceof OutcomeUnknownException) {
                unknown = failure;
            }
            throw failure;
        }
        if (attempt != null) {
            attempt.setLast();
        }
    }

    /** @throws RuntimeException that of the commit, if it may have taken effect */
    void rollBack() {
        transaction.abort();
        if (unknown != null) {
            throw unknown;
        }
    }

    boolean isCommitted() {
        return committed != null;
    }

    Stamp committed() {
        return Objects.requireNonNull(committed);
    }

    Optional<BoundTransaction> around() {
        return Optional.ofNullable(around);
    }

    Transaction transaction() {
        return transaction;
    }
}
