package io.penstock;

/** What {@link Penstock#transact} runs; may run again after a conflict, so it should have no other effects. */
@FunctionalInterface
public interface TransactionBody<T> {
    T run(Transaction transaction);
}
