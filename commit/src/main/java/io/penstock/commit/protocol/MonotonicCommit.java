package io.penstock.commit.protocol;

/** Sends the log records to PU queues, numbered, so that each queue's are applied in the order of their commits. */
public final class MonotonicCommit implements CommitProtocol {
    private final OrderedSenders senders;

    public MonotonicCommit(OrderedSenders senders) {
        this.senders = senders;
    }

    @Override
    public void commit(StampedTransaction transaction) {
        transaction.sentTo(senders.send(transaction.records()));
    }

    @Override
    public boolean keepsSession() {
        return true;
    }
}
