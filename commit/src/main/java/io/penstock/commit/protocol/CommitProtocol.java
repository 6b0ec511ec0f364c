package io.penstock.commit.protocol;

/**
 * Makes a transaction durable. The one door to PU queues: whatever sends log records there goes through an
 * implementation. Safe for use by many threads.
 */
public interface CommitProtocol {
    /**
     * Returns when the transaction is committed, as far as the level promises it.
     *
     * @throws io.penstock.core.UnavailableException when nothing was committed
     * @throws io.penstock.core.OutcomeUnknownException when the transaction, or without atomicity a part of it, may be
     *     committed
     */
    void commit(StampedTransaction transaction);

    /** Whether a session reads its own writes at this level, so that it keeps their log records. */
    boolean keepsSession();
}
