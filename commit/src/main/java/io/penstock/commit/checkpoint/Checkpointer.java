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
 * The checkpoint, which applies the log records of PU queues to pages: lease, receive, apply, put, delete, release
 * (section 4.3 of the paper). The order of the last steps ensures that no record is lost: pages are written first, then
 * the ledger, and then the messages are deleted. If any step fails, the messages are delivered again, and applying them
 * again changes nothing.
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

    /**
     * The PU queues, the ledgers of what was applied from them, and the quarantine for messages that can never be
     * applied.
     */
    public record Queues(PuQueues pu, LedgerStore ledgers, Quarantine quarantine) {}

    /** @param observer called after each checkpoint that had the lease, with its nanoseconds */
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
     * Applies the messages that are in the queue now, until a receive finds nothing or the lease ends.
     *
     * @throws io.penstock.core.StoreException when a step failed; a later checkpoint repeats it
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
                        .plus(new CheckpointResult(true, 0, 0, 0, 0, queues.quarantine.count() - before, 0));
            }
            observer.accept(result, time.nanoTime() - start);
            return result;
        } catch (ConflictException overtaken) {
            // The lease ran out, and another client is at work; messages that it does not delete are delivered again.
            return CheckpointResult.BUSY;
        } finally {
            lease.get().release();
        }
    }

    /**
     * Receives up to a batch, for at most a quarter of the lease: the messages must be applied and deleted before they
     * become visible again. Returns false when the queue returns no more.
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
            return Optional.empty(); // it is delivered again when the lease ends
        }
        // Not within the try: a damaged catalog must stop the checkpoint rather than send good messages into
        // quarantine.
        return Optional.of(new CheckpointPlan.Received(delivery, message, obstacle(delivery, message)));
    }

    /**
     * Whether the catalog may not show the tree of a record yet, because the record was sent just now and reads lag.
     */
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

    /** The reason why a message can never be applied; empty when it can. */
    private Optional<String> obstacle(Delivery delivery, PuMessage message) {
        // A message is at most one retention old by the servers' clock, whatever time this client believes it is.
        long latest = Math.min(nowMillis(), delivery.sentMillis() + QueueAttributes.RETENTION_MAX.toMillis());
        long oldest = latest - settings.recordLife().toMillis();
        for (LogRecord record : message.records()) {
            Stamp stamp = record.change().stamp();
            if (stamp.millis() < oldest) {
                return Optional.of("a log record is older than tombstones are kept, so it cannot be told from a"
                        + " redelivery stamp=" + stamp);
            }
            Optional<String> obstacle = records.obstacle(record);
            if (obstacle.isPresent()) {
                return obstacle;
            }
        }
        return Optional.empty();
    }

    /**
     * Applies the messages. If that fails, they are made visible again at once, so that no client has to wait until the
     * lease ends.
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
                0,
                plan.repeated());
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

    /** Removes clients from the ledger that have been gone for longer than any message of theirs can live. */
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
            // A message that could not be deleted is delivered again, and applying it again changes nothing.
            queue.delete(receipts.subList(from, Math.min(from + settings.batchEntries(), receipts.size())));
        }
    }
}
