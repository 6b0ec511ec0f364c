package io.penstock.commit.checkpoint;

import io.penstock.commit.client.Membership;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.commit.queue.LockQueue;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.queue.PuQueues;
import io.penstock.commit.queue.Quarantine;
import io.penstock.core.ClientId;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.Receipt;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ObjLongConsumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the log records of PU queues to pages: lease, receive, apply, put, delete, release (section 4.3 of the
 * paper). The order of the last steps is what keeps every record: pages first, then the ledger, then the messages are
 * deleted. Whatever fails on the way, the messages come back, and applying them again changes nothing.
 *
 * <p>Safe for use by many threads, clients and hosts at the same time.
 */
public final class Checkpointer {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpointer.class);

    private final Timekeeper time;
    private final Membership membership;
    private final Queues queues;
    private final RecordApplier records;
    private final CheckpointSettings settings;
    private final ObjLongConsumer<CheckpointResult> observer;

    /** The PU queues, the ledgers of what was applied from them, and the place of messages that never will be. */
    public record Queues(PuQueues pu, LedgerStore ledgers, Quarantine quarantine) {}

    /** @param observer told of each checkpoint that had the lease, with its nanoseconds */
    public Checkpointer(
            Timekeeper time,
            Membership membership,
            Queues queues,
            RecordApplier records,
            CheckpointSettings settings,
            ObjLongConsumer<CheckpointResult> observer) {
        this.time = time;
        this.membership = membership;
        this.queues = queues;
        this.records = records;
        this.settings = settings;
        this.observer = observer;
    }

    /**
     * Applies what is in the queue now, until a receive finds nothing or the lease ends.
     *
     * @throws io.penstock.core.StoreException when something went wrong; then it is done again another time
     */
    public CheckpointResult checkpoint(PuQueueId id) {
        membership.serverClock().requireKnownInStep();
        Optional<LockQueue.Lease> lease = queues.pu.lock(id).acquire(settings.lease());
        if (lease.isEmpty()) {
            return CheckpointResult.BUSY;
        }
        long start = time.nanoTime();
        try {
            CheckpointResult result = CheckpointResult.NOTHING;
            MessageQueue queue = queues.pu.open(id);
            boolean more = true;
            while (more && !lease.get().isOver()) {
                long before = queues.quarantine.count();
                List<CheckpointPlan.Received> received = new ArrayList<>();
                more = receive(queue, received);
                result = result.plus(applyOrShow(id, queue, received))
                        .plus(new CheckpointResult(true, 0, 0, 0, 0, queues.quarantine.count() - before));
            }
            observer.accept(result, time.nanoTime() - start);
            return result;
        } catch (ConflictException overtaken) {
            // The lease ran out, and another client is at work; what it leaves comes back.
            return CheckpointResult.BUSY;
        } finally {
            lease.get().release();
        }
    }

    /**
     * Receives up to a batch, for at most a quarter of the lease: the messages must be applied and deleted before they
     * are shown again. False when the queue shows no more.
     */
    private boolean receive(MessageQueue queue, List<CheckpointPlan.Received> received) {
        long bytes = 0;
        long deadline = time.nanoTime() + settings.lease().toNanos() / 4;
        while (bytes < settings.batchBytes() && time.nanoTime() - deadline < 0) {
            List<Delivery> deliveries = queue.receive(settings.batchEntries(), settings.lease(), settings.pollWait());
            if (deliveries.isEmpty()) {
                return false;
            }
            for (Delivery delivery : deliveries) {
                bytes += delivery.body().length();
                decode(queue, delivery).ifPresent(received::add);
            }
        }
        return true;
    }

    private Optional<CheckpointPlan.Received> decode(MessageQueue queue, Delivery delivery) {
        PuMessage message;
        try {
            message = PuMessage.decode(delivery.body(), queue.name());
        } catch (CorruptDataException e) {
            quarantine(queue, delivery, String.valueOf(e.getMessage()));
            queue.delete(List.of(delivery.receipt()));
            return Optional.empty();
        }
        if (mayBeYoungerThanItsTree(delivery, message)) {
            return Optional.empty(); // it shows up again when the lease is over
        }
        // Not within the try: a damaged catalog must stop the checkpoint, not send good messages into quarantine.
        return Optional.of(new CheckpointPlan.Received(delivery, message, obstacle(delivery, message)));
    }

    /** Where reads lag, the catalog may not show yet what a record sent just now is for. */
    private boolean mayBeYoungerThanItsTree(Delivery delivery, PuMessage message) {
        boolean young =
                nowMillis() - delivery.sentMillis() <= settings.readLag().toMillis();
        return young
                && settings.readLag().isPositive()
                && message.records().stream().anyMatch(record -> !records.hasTree(record));
    }

    private void quarantine(MessageQueue queue, Delivery delivery, String reason) {
        queues.quarantine.keep(queue.name(), delivery.messageId(), delivery.body(), reason);
    }

    /** Why a message can never be applied; empty when it can. */
    private Optional<String> obstacle(Delivery delivery, PuMessage message) {
        // A message is at most one retention old, by the servers' own clock, whatever this client takes for now.
        long latest = Math.min(nowMillis(), delivery.sentMillis() + QueueAttributes.RETENTION_MAX.toMillis());
        long oldest = latest - settings.recordLife().toMillis();
        for (LogRecord record : message.records()) {
            Stamp stamp = record.change().stamp();
            if (stamp.millis() < oldest) {
                return Optional.of("a log record is older than tombstones are kept, so that it cannot be told from a"
                        + " repeat stamp=" + stamp);
            }
            Optional<String> obstacle = records.obstacle(record);
            if (obstacle.isPresent()) {
                return obstacle;
            }
        }
        return Optional.empty();
    }

    /**
     * Applies; when that fails, the messages are shown again at once, so that nobody has to wait for the lease's end.
     */
    private CheckpointResult applyOrShow(PuQueueId id, MessageQueue queue, List<CheckpointPlan.Received> received) {
        try {
            return apply(id, queue, received);
        } catch (StoreException failure) {
            try {
                received.forEach(r -> queue.changeVisibility(r.delivery().receipt(), Duration.ZERO));
            } catch (StoreException again) {
                failure.addSuppressed(again);
            }
            throw failure;
        }
    }

    private CheckpointResult apply(PuQueueId id, MessageQueue queue, List<CheckpointPlan.Received> received) {
        if (received.isEmpty()) {
            return CheckpointResult.NOTHING;
        }
        boolean anyOrdered = received.stream().anyMatch(r -> r.message().ordered());
        LedgerStore.Stored stored = anyOrdered ? queues.ledgers.read(id) : new LedgerStore.Stored(Ledger.EMPTY, null);
        CheckpointPlan plan = plan(stored.ledger(), received);
        plan.refused()
                .forEach(refused ->
                        quarantine(queue, refused.delivery(), refused.obstacle().orElseThrow()));
        if (plan.outOfOrder() > 0) {
            LOG.warn(
                    "messages were applied although earlier ones are missing; order was given up, no data queue={}"
                            + " messages={}",
                    queue.name(),
                    plan.outOfOrder());
        }
        RecordApplier.Applied applied = records.apply(plan.toApply());
        if (!plan.ledger().equals(stored.ledger())) {
            queues.ledgers.write(id, stored, prune(plan.ledger()));
        }
        delete(queue, plan.done());
        for (CheckpointPlan.Received waiting : plan.heldBack()) {
            queue.changeVisibility(waiting.delivery().receipt(), Duration.ZERO);
        }
        records.remove(applied);
        return new CheckpointResult(
                true,
                plan.done().size() - plan.refused().size(),
                plan.toApply().size(),
                applied.pages(),
                plan.heldBack().size(),
                0);
    }

    private CheckpointPlan plan(Ledger ledger, List<CheckpointPlan.Received> received) {
        long now = nowMillis();
        CheckpointPlan.Times times = new CheckpointPlan.Times(
                now,
                now - settings.holeAfter().toMillis(),
                now - settings.heldBackMax().toMillis());
        CheckpointPlan plan = CheckpointPlan.of(ledger, received, Set.of(), times);
        Set<ClientId> hopeless =
                plan.awaited().stream().filter(membership::isDead).collect(Collectors.toSet());
        return hopeless.isEmpty() ? plan : CheckpointPlan.of(ledger, received, hopeless, times);
    }

    private long nowMillis() {
        return membership.serverClock().nowMillis();
    }

    /** Forgets clients that are gone for longer than anything they sent can live. */
    private Ledger prune(Ledger ledger) {
        long before = nowMillis() - settings.recordLife().toMillis();
        Ledger pruned = ledger;
        for (ClientId client : ledger.idleSince(before)) {
            if (membership.isDead(client)) {
                pruned = pruned.without(client);
            }
        }
        return pruned;
    }

    private void delete(MessageQueue queue, List<Delivery> done) {
        List<Receipt> receipts = done.stream().map(Delivery::receipt).toList();
        for (int from = 0; from < receipts.size(); from += settings.batchEntries()) {
            // What could not be deleted comes again, and is then known to the ledger.
            queue.delete(receipts.subList(from, Math.min(from + settings.batchEntries(), receipts.size())));
        }
    }
}
