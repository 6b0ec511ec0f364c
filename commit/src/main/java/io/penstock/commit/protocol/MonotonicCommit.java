package io.penstock.commit.protocol;

/** Sends the log records to PU queues, numbered, so that each queue's are applied in the order of their commits. */
public final class MonotonicCommit implements CommitProtocol {
    private final Router router;
    private final OrderedSenders senders;

    public MonotonicCommit(Router router, OrderedSenders senders) {
        this.router = router;
        this.senders = senders;
    }

    @Override
    public void commit(Committed transaction) {
        transaction.sentTo(senders.send(router, transaction.records()));
    }
}
