package io.penstock.commit.protocol;

/**
 * The way in which a consistency level makes transactions durable. Only implementations of this interface send log
 * records to PU queues. Safe for use by many threads.
 */
public interface CommitProtocol {
    /**
     * Commits a transaction, and returns when it is as durable as the level promises.
     *
     * @throws io.penstock.core.UnavailableException when nothing was committed
     * @throws io.penstock.core.OutcomeUnknownException when the transaction may be committed, or, at a level without
     *     atomicity, a part of it
     */
    void commit(StampedTransaction transaction);

    /** Whether transactions go to an ATOMIC queue of this client first. */
    boolean needsQueue();

    /**
     * Sends the transactions that the session has committed before, at any level, and that are not in PU queues yet.
     * Called before a commit that they must not be overtaken by.
     *
     * @throws io.penstock.core.UnavailableException when that failed
     */
    default void sendEarlier() {}

    /** Whether a session reads its own writes at this level, and therefore keeps their log records. */
    boolean keepsSession();

    /** Whether its log records wait in queues until they are applied. */
    default boolean leavesBacklog() {
        return true;
    }
}
