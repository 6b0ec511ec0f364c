package io.penstock.commit.protocol;

/**
 * The protocol that sends numbered log records to PU queues, so that those of each queue are applied in commit order.
 */
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
