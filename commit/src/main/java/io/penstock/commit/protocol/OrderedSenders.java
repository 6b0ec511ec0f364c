package io.penstock.commit.protocol;

import io.penstock.commit.client.Heartbeat;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.ClientId;
import io.penstock.core.task.SingleFlight;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends log records that checkpoints must apply in order. Begins a heartbeat before its first record; after a send
 * that failed for good it goes on under a new one, so that no living client has a hole in its numbers. Safe for use by
 * many threads.
 */
public final class OrderedSenders {
    private final SendContext context;
    private final Heartbeat heartbeat;
    private final ClientId firstId;
    private final SingleFlight<ClientId, PuSenders> renewals;
    private volatile @Nullable PuSenders current;

    public OrderedSenders(SendContext context, Heartbeat heartbeat, ClientId firstId) {
        this.context = context;
        this.heartbeat = heartbeat;
        this.firstId = firstId;
        this.renewals = new SingleFlight<>(context.tasks());
    }

    List<Position> send(List<LogRecord> records) {
        return senders().send(records);
    }

    /** What callers wait for, over all queues. */
    public long waitingBytes() {
        PuSenders senders = current;
        return senders == null ? 0 : senders.waitingBytes();
    }

    private PuSenders senders() {
        PuSenders senders = current;
        if (senders != null && !senders.isBroken()) {
            return senders;
        }
        return renewals.call(senders == null ? firstId : senders.client(), this::renewed);
    }

    private PuSenders renewed() {
        PuSenders old = current;
        if (old != null && !old.isBroken()) {
            return old;
        }
        ClientId next =
                old == null ? firstId : new ClientId(context.tasks().random().nextLong());
        heartbeat.begin(next);
        PuSenders fresh = new PuSenders(context, next, true);
        current = fresh;
        if (old != null) {
            heartbeat.end(old.client());
        }
        return fresh;
    }
}
