package io.penstock.commit.protocol;

import io.penstock.commit.client.Heartbeat;
import io.penstock.commit.client.Identity;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.commit.queue.Position;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.ClientId;
import io.penstock.core.task.SingleFlight;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A sender of log records that checkpoints must apply in order. It starts a heartbeat before its first record. After a
 * send that failed for good, and after a long pause, it continues under a new client id. So no living client has a gap
 * in its numbers, and none continues with numbers that ledgers may have forgotten. The first message to each queue
 * under a new id names the last one under the old, so that order is kept across the change.
 *
 * <p>All levels that keep order share one: else a session that mixes them would overtake itself. Each caller brings the
 * lane that its calls are counted for. Safe for use by many threads.
 */
public final class OrderedSenders {
    /**
     * The longest pause under one client id: far below the 15 days after which a ledger forgets an id that seems dead.
     */
    private static final Duration IDLE_MAX = Duration.ofDays(10);

    private final Tasks tasks;
    private final Heartbeat heartbeat;
    private final SingleFlight<OrderedSenders, PuSenders> renewals;
    private volatile @Nullable Current current;

    /** The senders in use, and the identity of which they have their id. */
    private record Current(Identity identity, PuSenders senders) {}

    /**
     * The time of the last use, by both clocks: the monotonic one may stand still while the machine sleeps, and the
     * wall clock may be set.
     */
    private volatile LastUse lastUse;

    private record LastUse(long millis, long nanos) {}

    public OrderedSenders(Tasks tasks, Heartbeat heartbeat) {
        this.tasks = tasks;
        this.heartbeat = heartbeat;
        this.renewals = new SingleFlight<>(tasks);
        this.lastUse = now();
    }

    private LastUse now() {
        return new LastUse(tasks.nowMillis(), tasks.nanoTime());
    }

    private boolean isIdleForLong() {
        LastUse now = now();
        return now.millis - lastUse.millis > IDLE_MAX.toMillis() || now.nanos - lastUse.nanos > IDLE_MAX.toNanos();
    }

    List<Position> send(SendContext lane, List<LogRecord> records) {
        return senders().send(lane, records);
    }

    /**
     * Sends log records as {@link PuSenders#attempt} does, but a record that its queue refuses holds up no other: it is
     * in a share of its own.
     */
    List<PuSenders.Share> attempt(SendContext lane, List<LogRecord> records) {
        return senders().attempt(lane, records).stream()
                .flatMap(share -> share.records().size() > 1 && PuSenders.isRefusal(share.failure())
                        ? halves(lane, share.records())
                        : Stream.of(share))
                .toList();
    }

    private Stream<PuSenders.Share> halves(SendContext lane, List<LogRecord> records) {
        int half = records.size() / 2;
        return Stream.of(records.subList(0, half), records.subList(half, records.size()))
                .flatMap(some -> attempt(lane, some).stream());
    }

    /** The bytes that callers wait to have sent, over all queues. */
    public long waitingBytes() {
        Current known = current;
        return known == null ? 0 : known.senders.waitingBytes();
    }

    /** To be run if a queue is found to be missing: what it holds now is lost, and checkpoints must not wait for it. */
    public Runnable whenMissing(PuQueueId queue) {
        Current known = current;
        return known == null ? () -> {} : known.senders.whenMissing(queue);
    }

    private PuSenders senders() {
        Current known = current;
        PuSenders senders = known != null && isUsable(known) ? known.senders : renewals.call(this, this::renewed);
        lastUse = now();
        return senders;
    }

    private boolean isUsable(Current known) {
        return !known.identity.isOver() && !known.senders.isBroken() && !isIdleForLong();
    }

    /**
     * Returns the predecessors of the next messages. After a long pause there are none: whatever was hidden from a
     * checkpoint then has shown since.
     */
    private Map<PuQueueId, PuMessage.Predecessor> predecessors(@Nullable PuSenders old) {
        return old == null || isIdleForLong() ? Map.of() : old.retire();
    }

    private PuSenders renewed() {
        Current old = current;
        if (old != null && isUsable(old)) {
            return old.senders;
        }
        Identity identity = heartbeat.join(false);
        Optional<ClientId> next = identity.newSender();
        while (next.isEmpty()) {
            heartbeat.renew(identity);
            identity = heartbeat.join(false);
            next = identity.newSender();
        }
        PuSenders fresh = PuSenders.ordered(next.get(), predecessors(old == null ? null : old.senders));
        lastUse = now();
        current = new Current(identity, fresh);
        if (old != null) {
            old.identity.endSender(old.senders.client());
        }
        return fresh;
    }
}
