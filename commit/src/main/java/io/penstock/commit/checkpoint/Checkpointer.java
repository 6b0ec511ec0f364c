package io.penstock.commit.checkpoint;

import io.penstock.commit.client.ClientContext;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.commit.queue.DeadLetterStore;
import io.penstock.commit.queue.LockQueue;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.queue.PuQueues;
import io.penstock.core.ClientId;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.Stamp;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import io.penstock.report.CheckpointReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
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

    /** The error of this client's estimate of the servers' time. */
    private static final Duration CLOCKS_AGREE = Duration.ofSeconds(1);

    private final Tasks tasks;
    private final ClientContext membership;
    private final PuQueues queues;
    private final LedgerStore ledgers;
    private final DeadLetterStore quarantine;
    private final RecordApplier records;
    private final CheckpointSettings settings;
    private final Watch watch;
    private final LedgerPruning pruning;

    /** A wrapper around each checkpoint, such as one that measures it. */
    public interface Watch {
        /** Runs a checkpoint of a queue, which has the lease. */
        Outcome run(PuQueueId id, Supplier<Outcome> checkpoint);
    }

    /**
     * The result of the checkpoint of one PU queue, and the state in which it left the queue.
     *
     * @param reached whether a receive found nothing in the end, rather than that the lease ended before
     * @param emptied whether a receive that asks all servers found nothing more than what is held back
     * @param oldestMillis when the oldest message was sent of those that are left, in the servers' milliseconds since
     *     1970; an estimate, if the lease ended before all were seen
     * @param repeated the number of messages that were applied although the ledger covers them
     */
    public record Outcome(
            CheckpointReport report, boolean reached, boolean emptied, OptionalLong oldestMillis, long repeated) {
        static final Outcome BUSY = new Outcome(
                CheckpointReport.NONE.ofQueue(0, 0, Optional.empty()).ofBusy(), false, false, OptionalLong.empty(), 0);

        /** Whether this client got the lease; if not, another client is at work and this one did nothing. */
        boolean leased() {
            return report.busy() == 0;
        }

        /** Whether the queue is empty. */
        boolean isClean() {
            return emptied && report.heldBack() == 0;
        }
    }

    public Checkpointer(
            Tasks tasks,
            ClientContext membership,
            PuQueues queues,
            LedgerStore ledgers,
            DeadLetterStore quarantine,
            RecordApplier records,
            CheckpointSettings settings,
            Watch watch) {
        this.tasks = tasks;
        this.membership = membership;
        this.queues = queues;
        this.ledgers = ledgers;
        this.quarantine = quarantine;
        this.records = records;
        this.settings = settings;
        this.watch = watch;
        this.pruning = new LedgerPruning(
                tasks, membership, ledgers, settings.lifetimes().ledgerEntry());
    }

    /** The messages that a checkpoint looks for. */
    public enum Reach {
        /**
         * The messages that receives show without waiting; a real queue may have more on servers that were not asked.
         */
        SHOWN,
        /**
         * All messages that are in the queue when the checkpoint begins. Its last receive asks all servers, and waits.
         */
        ALL,
        /** All messages, those too that wait for an earlier one of their client: order is given up, no data. */
        REGARDLESS
    }

    /**
     * Applies the messages that are in the queue now, until a receive finds nothing or the lease ends.
     *
     * @throws io.penstock.core.StoreException when a step failed; a later checkpoint repeats it
     */
    public Outcome checkpoint(PuQueueId id, Reach reach) {
        membership.serverClock().requireKnownInStep();
        Optional<LockQueue.Lease> lease = queues.lock(id).acquire(settings.lease());
        if (lease.isEmpty()) {
            return Outcome.BUSY;
        }
        try {
            return watch.run(id, () -> checkpoint(id, lease.get(), reach));
        } catch (ConflictException overtaken) {
            // The lease ran out, and another client is at work; messages that it does not delete are delivered again.
            return Outcome.BUSY;
        } finally {
            lease.get().release();
        }
    }

    /** Whether a queue counts no message, hidden ones included. The count may be a minute old. */
    boolean isEmpty(PuQueueId id) {
        return queues.open(id).depth().total() == 0;
    }

    private Outcome checkpoint(PuQueueId id, LockQueue.Lease lease, Reach reach) {
        ReceivedBatch intake = new ReceivedBatch(tasks, queues.open(id), settings, nowMillis());
        try {
            Outcome outcome = applyAll(id, intake, lease, reach);
            intake.show();
            return outcome;
        } catch (RuntimeException failure) {
            intake.showAfter(failure);
            throw failure;
        }
    }

    private Outcome applyAll(PuQueueId id, ReceivedBatch intake, LockQueue.Lease lease, Reach reach) {
        long beganMillis = intake.beganMillis() + CLOCKS_AGREE.toMillis();
        long quarantined = quarantine.count();
        boolean thorough = reach != Reach.SHOWN && settings.pollWait().isPositive();
        HeldBack held = new HeldBack(settings.batchBytes() / 4);
        CheckpointReport report = CheckpointReport.NONE;
        List<Delivery> batch = intake.receive(thorough);
        boolean more = true;
        while (more && !batch.isEmpty()) {
            List<Delivery> current = batch;
            boolean wanted = intake.isCutOff()
                    || thorough && current.stream().anyMatch(delivery -> delivery.sentMillis() <= beganMillis);
            more = wanted && !lease.isOver();
            // The next messages are received while these are applied.
            Optional<Task<List<Delivery>>> next =
                    more ? Optional.of(tasks.fork("receive", () -> intake.receive(false))) : Optional.empty();
            try {
                report = report.plus(apply(id, intake, held, current, reach));
            } finally {
                intake.drop(current);
                batch = next.map(Task::join).orElse(List.of());
            }
            if (wanted && !more) {
                held.leaveThoseAfter(current);
            }
        }
        long refused = quarantine.count() - quarantined;
        return new Outcome(
                report.ofQueue(
                        held.count(), refused, held.until(settings.lifetimes().heldBackMax())),
                !intake.isCutOff(),
                intake.isEmptied(),
                held.oldestMillis(),
                held.repeated);
    }

    private Optional<CheckpointPlan.Received> decode(ReceivedBatch intake, Delivery delivery) {
        PuMessage message;
        try {
            message = PuMessage.decode(delivery.body(), intake.queue().name());
        } catch (CorruptDataException e) {
            quarantine(intake.queue(), delivery, String.valueOf(e.getMessage()));
            intake.delete(List.of(delivery));
            return Optional.empty();
        }
        // Not within the try: a damaged catalog must stop the checkpoint rather than send good messages into
        // quarantine.
        return Optional.of(new CheckpointPlan.Received(delivery, message, obstacle(delivery, message)));
    }

    private void quarantine(MessageQueue queue, Delivery delivery, String reason) {
        quarantine.keepMessage(queue.name(), delivery.messageId(), delivery.body(), reason);
    }

    /** The reason why a message can never be applied; empty when it can. */
    private Optional<String> obstacle(Delivery delivery, PuMessage message) {
        // A message is at most one retention old by the servers' clock, whatever time this client believes it is.
        long latest = Math.min(nowMillis(), delivery.sentMillis() + QueueAttributes.RETENTION_MAX.toMillis());
        long oldest = latest - settings.lifetimes().record().toMillis();
        for (LogRecord record : message.records()) {
            Stamp stamp = record.change().stamp();
            if (stamp.millis() < oldest) {
                return Optional.of("a log record is older than tombstones are kept, so it cannot be told from a"
                        + " redelivery stamp=" + stamp);
            }
            if (stamp.millis() - delivery.sentMillis()
                    > settings.lifetimes().aheadMax().toMillis()) {
                return Optional.of("a log record is stamped later than it was sent, by a client whose clock was wrong;"
                        + " it would win until then stamp=" + stamp);
            }
            Optional<String> obstacle = records.obstacle(record).or(() -> records.straying(record));
            if (obstacle.isPresent()) {
                return obstacle;
            }
        }
        return Optional.empty();
    }

    /** Applies the messages of a batch, and those that were held back before it. */
    private CheckpointReport apply(
            PuQueueId id, ReceivedBatch intake, HeldBack held, List<Delivery> batch, Reach reach) {
        List<CheckpointPlan.Received> received = held.take();
        for (Delivery delivery : batch) {
            decode(intake, delivery).ifPresent(received::add);
        }
        if (received.isEmpty()) {
            return CheckpointReport.NONE;
        }
        MessageQueue queue = intake.queue();
        boolean anyOrdered = received.stream().anyMatch(r -> r.message().ordered());
        LedgerStore.Stored stored = anyOrdered ? ledgers.read(id) : LedgerStore.none(id);
        dropRepeated(intake, stored.ledger(), received);
        CheckpointPlan plan = plan(stored, received, intake.beganMillis(), reach);
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
        RecordApplier.Application applied = records.apply(
                plan.toApply(),
                true,
                settings.lifetimes().timely(membership.serverClock(), plan.toApply(), () -> false));
        if (!plan.ledger().equals(stored.ledger())) {
            stored = ledgers.write(id, stored, plan.ledger());
        }
        intake.delete(plan.done());
        held.keep(plan.heldBack());
        pruning.prune(id, stored);
        applied.removeReplaced();
        held.repeated += plan.repeated();
        return applied.report().ofMessages(plan.done().size() - plan.refused().size());
    }

    /**
     * Drops messages that were applied before, of a tree whose changes go through a log by now: they are not for the
     * quarantine.
     */
    private void dropRepeated(ReceivedBatch intake, Ledger ledger, List<CheckpointPlan.Received> received) {
        List<CheckpointPlan.Received> repeated = received.stream()
                .filter(one -> one.message().ordered())
                .filter(one -> ledger.covers(
                        one.message().client(),
                        one.message().first(),
                        one.message().last()))
                .filter(one -> one.message().records().stream()
                        .anyMatch(record -> records.straying(record).isPresent()))
                .toList();
        received.removeAll(repeated);
        intake.delete(repeated.stream().map(CheckpointPlan.Received::delivery).toList());
    }

    private CheckpointPlan plan(
            LedgerStore.Stored stored, List<CheckpointPlan.Received> received, long beganMillis, Reach reach) {
        CheckpointPlan.Times times = new CheckpointPlan.Times(
                nowMillis(),
                beganMillis - settings.holeAfter().toMillis(),
                beganMillis - settings.lifetimes().heldBackMax().toMillis());
        CheckpointPlan plan = CheckpointPlan.of(stored.ledger(), received, Set.of(), times);
        if (stored.isLost() || reach == Reach.REGARDLESS) {
            // Of a lost ledger it is unknown which earlier messages there were, so none is waited for.
            CheckpointPlan.Times atOnce = new CheckpointPlan.Times(times.now(), Long.MAX_VALUE, times.overdue());
            return CheckpointPlan.of(stored.ledger(), received, plan.awaited(), atOnce);
        }
        Set<ClientId> hopeless = membership.deadAmong(plan.awaited());
        return hopeless.isEmpty() ? plan : CheckpointPlan.of(stored.ledger(), received, hopeless, times);
    }

    private long nowMillis() {
        return membership.serverClock().nowMillis();
    }

    /**
     * The messages that a checkpoint cannot apply yet. It keeps them for its next plan, which may have what they lack,
     * and so gets past any number of them. Beyond a bound of bytes it keeps none; those stay hidden until the
     * checkpoint ends. For one thread.
     */
    private static final class HeldBack {
        private final long bytesMax;
        private List<CheckpointPlan.Received> kept = new ArrayList<>();
        private long left;
        private long oldestMillis = Long.MAX_VALUE;
        private long newestMillis;
        private long repeated;

        HeldBack(long bytesMax) {
            this.bytesMax = bytesMax;
        }

        /** Takes those that were kept. */
        List<CheckpointPlan.Received> take() {
            List<CheckpointPlan.Received> taken = kept;
            kept = new ArrayList<>();
            return taken;
        }

        /** Keeps messages for the next plan, as far as there is room. */
        void keep(List<CheckpointPlan.Received> messages) {
            long bytes = 0;
            for (CheckpointPlan.Received message : messages) {
                bytes += message.delivery().body().length();
                newestMillis = Math.max(newestMillis, message.delivery().sentMillis());
                if (bytes <= bytesMax) {
                    kept.add(message);
                } else {
                    leave(message.delivery());
                }
            }
        }

        /** Notes a message that this checkpoint has seen and leaves in the queue. */
        void leave(Delivery delivery) {
            left++;
            note(delivery);
        }

        /** Notes that messages are left which were sent after these: they were not reached. */
        void leaveThoseAfter(List<Delivery> last) {
            last.stream().max(Comparator.comparing(Delivery::sentMillis)).ifPresent(this::note);
        }

        private void note(Delivery delivery) {
            oldestMillis = Math.min(oldestMillis, delivery.sentMillis());
        }

        /** The number of messages that are left in the queue at the end. */
        long count() {
            return left + kept.size();
        }

        /** Returns the time until which messages are held back; empty when there are none. */
        Optional<Instant> until(Duration heldBackMax) {
            return count() == 0
                    ? Optional.empty()
                    : Optional.of(Instant.ofEpochMilli(newestMillis).plus(heldBackMax));
        }

        /**
         * Returns the time at which the oldest of them was sent, in milliseconds since 1970; empty when there is none.
         */
        OptionalLong oldestMillis() {
            kept.forEach(message -> note(message.delivery()));
            return oldestMillis == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(oldestMillis);
        }
    }
}
