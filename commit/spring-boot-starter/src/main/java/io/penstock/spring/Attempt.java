package io.penstock.spring;

import io.penstock.Penstock;
import io.penstock.Transaction;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.interceptor.TransactionAttribute;

/**
 * A method or body that runs again after a conflict, on one thread: until it is over, or something that it has done
 * must not be done twice. For one thread.
 */
final class Attempt implements AutoCloseable {
    private static final ThreadLocal<@Nullable Attempt> INNERMOST = new ThreadLocal<>();

    private final @Nullable Attempt around = INNERMOST.get();
    private final @Nullable Object caller = Methods.innermost();
    private @Nullable Penstock store;
    private @Nullable Transaction transaction;
    private long begunNanos;
    private boolean last;

    /** Spring's own note of the innermost method that is in the hands of a manager. */
    private static final class Methods extends TransactionAspectSupport {
        static @Nullable Object innermost() {
            return currentTransactionInfo();
        }
    }

    /** @param store that of a body; null for a method, whose transaction is still to be begun, by whichever manager */
    Attempt(@Nullable Penstock store) {
        this.store = store;
        INNERMOST.set(this);
    }

    /**
     * Returns the innermost of this thread for its own transaction, which a store begins. Null if it has one, or runs
     * already, with whatever another manager has begun for it.
     */
    static @Nullable Attempt claim(Penstock store, Transaction begun, TransactionDefinition definition) {
        Attempt innermost = INNERMOST.get();
        if (innermost == null
                || innermost.store != null
                || innermost.caller != Methods.innermost()
                || !(definition instanceof TransactionAttribute)) { // but a template's, of a listener to its end
            return null;
        }
        innermost.store = store;
        innermost.transaction = begun;
        innermost.begunNanos = store.tasks().nanoTime();
        return innermost;
    }

    /** The store whose transaction it runs in; null if it has begun none. */
    @Nullable
    Penstock store() {
        return store;
    }

    long begunNanos() {
        return begunNanos;
    }

    /** Counts a conflict in the meters of its own store, where those of the store's bodies are. */
    void count(boolean again) {
        if (store != null && transaction != null) {
            store.countConflict(transaction.level(), again);
        }
    }

    /** Keeps all of this thread from running again. */
    static void setAllLast() {
        for (Attempt one = INNERMOST.get(); one != null; one = one.around) {
            one.last = true;
        }
    }

    void setLast() {
        last = true;
    }

    boolean isLast() {
        return last;
    }

    @Override
    public void close() {
        if (around == null) {
            INNERMOST.remove();
        } else {
            INNERMOST.set(around);
        }
    }
}
