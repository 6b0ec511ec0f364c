package io.penstock.commit.protocol;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The protocol that sends the log records to PU queues in any order (section 4.1 of the paper). */
public final class BasicCommit implements CommitProtocol {
    private final SendContext lane;

    /** The senders, made by the first commit. The id says nothing here, since the records have no numbers. */
    private final AtomicReference<@Nullable PuSenders> senders = new AtomicReference<>();

    public BasicCommit(SendContext lane) {
        this.lane = lane;
    }

    /** The bytes that callers wait to have sent, over all queues. */
    public long waitingBytes() {
        PuSenders known = senders.get();
        return known == null ? 0 : known.waitingBytes();
    }

    @Override
    public void commit(StampedTransaction transaction) {
        PuSenders known = senders.get();
        if (known == null) {
            senders.compareAndSet(null, PuSenders.unordered(transaction.stamp().client()));
            known = Objects.requireNonNull(senders.get());
        }
        transaction.sentTo(known.send(lane, transaction.records()));
    }

    @Override
    public boolean needsQueue() {
        return false;
    }

    @Override
    public boolean keepsSession() {
        return false;
    }
}
