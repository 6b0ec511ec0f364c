package io.penstock.commit.protocol;

import io.penstock.commit.client.Heartbeat;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.queue.Position;
import io.penstock.core.ClientId;
import io.penstock.core.task.SingleFlight;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sender of log records that checkpoints must apply in order. It starts a heartbeat before its first record. After a
 * send that failed for good, and after a long pause, it continues under a new client id. So no living client has a gap
 * in its numbers, and none continues with numbers that ledgers may have forgotten. Safe for use by many threads.
 */
public final class OrderedSenders {
    /**
     * The longest pause under one client id: far below the 15 days after which a ledger forgets an id that seems dead.
     */
    private static final Duration IDLE_MAX = Duration.ofDays(10);

    private final SendContext context;
    private final Heartbeat heartbeat;
    private final ClientId firstId;
    private final SingleFlight<ClientId, PuSenders> renewals;
    private volatile @Nullable PuSenders current;

    /**
     * The time of the last use, by both clocks: the monotonic one may stand still while the machine sleeps, and the
     * wall clock may be set.
     */
    private volatile LastUse lastUse;

    private record LastUse(long millis, long nanos) {}

    public OrderedSenders(SendContext context, Heartbeat heartbeat, ClientId firstId) {
        this.context = context;
        this.heartbeat = heartbeat;
        this.firstId = firstId;
        this.renewals = new SingleFlight<>(context.tasks());
        this.lastUse = now();
    }

    private LastUse now() {
        return new LastUse(context.tasks().nowMillis(), context.tasks().nanoTime());
    }

    private boolean isIdleForLong() {
        LastUse now = now();
        return now.millis - lastUse.millis > IDLE_MAX.toMillis() || now.nanos - lastUse.nanos > IDLE_MAX.toNanos();
    }

    List<Position> send(List<LogRecord> records) {
        return senders().send(records);
    }

    /** As {@link PuSenders#attempt}. */
    List<PuSenders.Share> attempt(List<LogRecord> records) {
        return senders().attempt(records);
    }

    /** The bytes that callers wait to have sent, over all queues. */
    public long waitingBytes() {
        PuSenders senders = current;
        return senders == null ? 0 : senders.waitingBytes();
    }

    private PuSenders senders() {
        PuSenders senders = current;
        if (senders == null || !isUsable(senders)) {
            senders = renewals.call(senders == null ? firstId : senders.client(), this::renewed);
        }
        lastUse = now();
        return senders;
    }

    private boolean isUsable(PuSenders senders) {
        return !senders.isBroken() && !isIdleForLong();
    }

    private PuSenders renewed() {
        PuSenders old = current;
        if (old != null && isUsable(old)) {
            return old;
        }
        ClientId next =
                old == null ? firstId : new ClientId(context.tasks().random().nextLong());
        heartbeat.begin(next);
        PuSenders fresh = new PuSenders(context, next, true);
        lastUse = now();
        current = fresh;
        if (old != null) {
            heartbeat.end(old.client());
        }
        return fresh;
    }
}
