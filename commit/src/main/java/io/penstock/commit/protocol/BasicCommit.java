package io.penstock.commit.protocol;

import io.penstock.core.ClientId;

/** Sends the log records to PU queues, in any order (section 4.1 of the paper). */
public final class BasicCommit implements CommitProtocol {
    private final PuSenders senders;

    public BasicCommit(SendContext context, ClientId client) {
        this.senders = new PuSenders(context, client, false);
    }

    /** What callers wait for, over all queues. */
    public long waitingBytes() {
        return senders.waitingBytes();
    }

    @Override
    public void commit(StampedTransaction transaction) {
        transaction.sentTo(senders.send(transaction.records()));
    }

    @Override
    public boolean keepsSession() {
        return false;
    }
}
