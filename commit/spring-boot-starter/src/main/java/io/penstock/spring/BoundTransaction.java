package io.penstock.spring;

import io.penstock.Transaction;
import org.springframework.transaction.support.ResourceHolderSupport;

/** The transaction of this thread, begun by {@link PenstockTransactionManager}. For one thread. */
final class BoundTransaction extends ResourceHolderSupport {
    private final Transaction transaction;
    private final boolean readOnly;

    BoundTransaction(Transaction transaction, boolean readOnly) {
        this.transaction = transaction;
        this.readOnly = readOnly;
    }

    boolean isReadOnly() {
        return readOnly;
    }

    /** @throws org.springframework.transaction.TransactionTimedOutException when its time is over */
    Transaction inTime() {
        if (hasTimeout()) {
            // Throws, and marks this for rollback, at the end of the time.
            getTimeToLiveInMillis();
        }
        return transaction;
    }

    Transaction transaction() {
        return transaction;
    }
}
