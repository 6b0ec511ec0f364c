package io.penstock;

/** The body of a transaction. It may run again after a conflict, so it should have no other effects. */
@FunctionalInterface
public interface TransactionBody<T> {
    /** Reads and writes through {@code transaction}, without committing it; returns the result of the whole. */
    T run(Transaction transaction);
}
