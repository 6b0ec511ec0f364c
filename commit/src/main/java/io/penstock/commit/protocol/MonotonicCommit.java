package io.penstock.commit.protocol;

import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;

/**
 * The protocol that sends numbered log records to PU queues, so that those of each queue are applied in commit order.
 *
 * @param forwarder of the same client, which sends by the same senders
 */
public record MonotonicCommit(OrderedSenders senders, SendContext lane, Forwarder forwarder) implements CommitProtocol {
    @Override
    public void sendEarlier() {
        try {
            forwarder.forward();
        } catch (StoreException failure) {
            throw new UnavailableException(
                    "an earlier transaction of this session is not on its way yet, and must not be overtaken; nothing"
                            + " was committed, retry",
                    failure);
        }
    }

    @Override
    public void commit(StampedTransaction transaction) {
        transaction.sentTo(senders.send(lane, transaction.records()));
    }

    @Override
    public boolean needsQueue() {
        return false;
    }

    @Override
    public boolean keepsSession() {
        return true;
    }
}
