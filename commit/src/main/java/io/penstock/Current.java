package io.penstock;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transaction that each thread is in: what it does with the same store takes part. Safe for many threads.
 */
final class Current {
    private final ThreadLocal<@Nullable Transaction> transactions = new ThreadLocal<>();

    /** The transaction that this thread is in; null if there is none, or it is over. */
    @Nullable
    Transaction get() {
        Transaction found = transactions.get();
        return found == null || found.isOver() ? null : found;
    }

    /** Whether this thread is in a transaction, or was when it ended. */
    boolean isBound(Transaction transaction) {
        return transactions.get() == transaction;
    }

    /** Sets the transaction that this thread is in; null for none. */
    void set(@Nullable Transaction transaction) {
        if (transaction == null) {
            transactions.remove();
        } else {
            transactions.set(transaction);
        }
    }

    /** Runs something in a transaction. */
    <T> T during(Transaction transaction, Supplier<T> body) {
        Transaction before = transactions.get();
        transactions.set(transaction);
        try {
            return body.get();
        } finally {
            set(before);
        }
    }

    /** @throws InvalidRequestException when this thread is in a transaction, which {@code what} cannot be a part of */
    void requireNone(String what) {
        if (get() != null) {
            throw new InvalidRequestException(
                    ErrorCode.TRANSACTION_MISUSE,
                    "this thread is in a transaction, and the call would not be a part of it; make it before or after",
                    "call",
                    what);
        }
    }
}
