package io.penstock;

/** The body of a transaction. It may run again after a conflict, so it should have no other effects. */
@FunctionalInterface
public interface TransactionBody<T> {
    /**
     * Reads and writes through {@code transaction}, without committing it; returns the result of the whole.
     *
     * @throws Exception of any kind, which ends the transaction. Its caller gets a checked one as the cause of a {@link
     *     BodyException}
     */
    T run(Transaction transaction) throws Exception;
}
