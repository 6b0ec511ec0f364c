package io.penstock.commit.protocol;

import io.penstock.core.ClientId;

/** The protocol that sends the log records to PU queues in any order (section 4.1 of the paper). */
public final class BasicCommit implements CommitProtocol {
    private final SendContext lane;
    private final PuSenders senders;

    public BasicCommit(SendContext lane, ClientId client) {
        this.lane = lane;
        this.senders = PuSenders.unordered(client);
    }

    /** The bytes that callers wait to have sent, over all queues. */
    public long waitingBytes() {
        return senders.waitingBytes();
    }

    @Override
    public void commit(StampedTransaction transaction) {
        transaction.sentTo(senders.send(lane, transaction.records()));
    }

    @Override
    public boolean keepsSession() {
        return false;
    }
}
