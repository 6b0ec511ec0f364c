package io.penstock.commit.protocol;

import io.penstock.commit.client.Identity;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.queue.AtomicQueue;
import io.penstock.commit.queue.Position;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Permits;
import io.penstock.core.task.Recurring;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A background task that sends a client's committed ATOMIC transactions to the PU queues. It takes them from memory,
 * many at a time, and then deletes them from the ATOMIC queue. If the client dies first, a recovery does the rest from
 * the queue. Safe for use by many threads.
 */
public final class Forwarder {
    private static final Logger LOG = LoggerFactory.getLogger(Forwarder.class);

    /** The most bytes that may be committed and not yet forwarded; above it commits are refused. */
    private static final long WAITING_BYTES_MAX = 64 << 20;

    /** The most receives of one {@link #drain} that may lead to no deletion. The rest is left to a later drain. */
    private static final int IDLE_RECEIVES_MAX = 16;

    /** The age from which the queue's count of messages has noticed a transaction. */
    private static final Duration COUNTED_AFTER = Duration.ofMinutes(2);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Tasks tasks;
    private final OrderedSenders senders;
    private final SendContext lane;
    private final AtomicQueue queue;
    private final AtomicDrain drain;
    private volatile int drainAt;
    private final Duration interval;
    private final Permits forwarding;
    private final Permits draining;
    private final Recurring loop;
    private final MemoryLock lock = new MemoryLock();

    // Guarded by lock:
    private final ArrayDeque<Unforwarded> waiting = new ArrayDeque<>();
    private final Set<Stamp> committing = new HashSet<>();
    private final Set<Stamp> unforwarded = new HashSet<>();

    private final Undeleted undeleted = new Undeleted();
    private long waitingBytes;
    private boolean started;

    /** The log records that their queues refused the last time. Guarded by forwarding. */
    private final Set<LogRecord> refused = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Messages of the ATOMIC queue received before their transactions were forwarded. Guarded by draining. */
    private AtomicAssembly received = new AtomicAssembly(Long.MAX_VALUE);

    /** The identity whose queue they are of. Guarded by draining. */
    private @Nullable Identity receivedOf;

    /**
     * @param lane for background work: forwarding does not count as a transaction's own cost
     * @param drainAt the number of forwarded transactions at which their messages are deleted
     */
    public Forwarder(
            SendContext lane,
            OrderedSenders senders,
            AtomicQueue queue,
            AtomicDrain drain,
            int drainAt,
            Duration interval) {
        this.tasks = lane.tasks();
        this.lane = lane;
        this.senders = senders;
        this.queue = queue;
        this.drain = drain;
        this.drainAt = drainAt;
        this.interval = interval;
        this.forwarding = new Permits(tasks, 1);
        this.draining = new Permits(tasks, 1);
        this.loop = new Recurring(tasks, "forwarder", RETRY_AFTER);
    }

    /** Deletes messages at another number of forwarded transactions: few, where only few are ever forwarded. */
    public void drainAt(int transactions) {
        drainAt = transactions;
    }

    void requireRoom() {
        long bytes = lock.with(() -> waitingBytes);
        if (bytes > WAITING_BYTES_MAX) {
            throw new UnavailableException(
                    ErrorCode.BACKLOG_FULL,
                    "too much is committed and not yet forwarded; nothing was committed, wait and retry",
                    "bytes",
                    bytes,
                    "bytesMax",
                    WAITING_BYTES_MAX);
        }
    }

    /**
     * Records that the transaction is about to be sent to the ATOMIC queue. The caller must call {@link #ended}
     * afterwards.
     */
    void begin(Stamp transaction) {
        lock.run(() -> committing.add(transaction));
    }

    /** Records that the commit has ended. If it succeeded, the transaction was {@link #add}ed before. */
    void ended(Stamp transaction) {
        lock.run(() -> committing.remove(transaction));
    }

    /** @param sentTo the identity whose ATOMIC queue holds it */
    void add(StampedTransaction transaction, Identity sentTo) {
        boolean first = lock.with(() -> {
            waiting.add(new Unforwarded(transaction, sentTo));
            waitingBytes += transaction.bytes();
            unforwarded.add(transaction.stamp());
            boolean isFirst = !started;
            started = true;
            return isFirst;
        });
        if (first) {
            loop.start(interval, this::forwardAndDrain);
        }
    }

    /** The number of committed transactions that are not yet in the PU queues. */
    public int unforwarded() {
        return lock.with(() -> unforwarded.size());
    }

    /**
     * Returns the time at which the oldest of them was committed, in milliseconds since 1970; empty when there is none.
     */
    public OptionalLong oldestMillis() {
        return lock.with(() -> unforwarded.stream().mapToLong(Stamp::millis).min());
    }

    private Duration forwardAndDrain() {
        try {
            try {
                forward();
            } finally {
                drainIfWorthwhile();
            }
        } catch (StoreException e) {
            LOG.warn("committed transactions could not be forwarded yet; trying again why={}", e.getMessage());
            loop.isStoppedWithin(RETRY_AFTER);
        }
        return interval;
    }

    /** The task that forwards. */
    public Recurring loop() {
        return loop;
    }

    /**
     * Sends all waiting transactions to the PU queues. The share of a queue that fails keeps waiting, and a record that
     * its queue refuses, which is then sent alone.
     */
    public void forward() {
        forwarding.run(() -> {
            List<Unforwarded> batch = take();
            if (batch.isEmpty()) {
                return;
            }
            try {
                send(batch);
            } finally {
                finish(batch);
            }
        });
    }

    private void send(List<Unforwarded> batch) {
        Map<Stamp, Unforwarded> byStamp = new HashMap<>();
        List<LogRecord> records = new ArrayList<>();
        List<LogRecord> alone = new ArrayList<>();
        for (Unforwarded one : batch) {
            byStamp.put(one.transaction().stamp(), one);
            one.discard(lane.dropped());
            one.unsent().forEach(record -> (refused.contains(record) ? alone : records).add(record));
        }
        refused.clear();
        List<PuSenders.Share> shares = new ArrayList<>(senders.attempt(lane, records));
        alone.forEach(record -> shares.addAll(senders.attempt(lane, List.of(record))));
        @Nullable StoreException failure = null;
        for (PuSenders.Share share : shares) {
            if (PuSenders.isRefusal(share.failure())) {
                refused.addAll(share.records());
            }
            Position position = share.position();
            if (position != null) {
                LogRecord.byStamp(share.records())
                        .forEach((stamp, sent) ->
                                Objects.requireNonNull(byStamp.get(stamp)).sent(sent, position));
            }
            failure = failure == null ? share.failure() : failure;
        }
        if (failure != null) {
            throw failure;
        }
    }

    private List<Unforwarded> take() {
        return lock.with(() -> {
            List<Unforwarded> batch = List.copyOf(waiting);
            waiting.clear();
            return batch;
        });
    }

    /** Settles what is forwarded; what is not goes back to the front, in its order. */
    private void finish(List<Unforwarded> batch) {
        lock.run(() -> {
            for (Unforwarded one : batch.reversed()) {
                StampedTransaction transaction = one.transaction();
                if (one.isDone()) {
                    unforwarded.remove(transaction.stamp());
                    undeleted.add(transaction.stamp(), one.sentTo());
                    waitingBytes -= transaction.bytes();
                } else {
                    waiting.addFirst(one);
                }
            }
        });
    }

    private void drainIfWorthwhile() {
        if (lock.with(() -> undeleted.isWorthwhile(unforwarded.isEmpty() && committing.isEmpty(), drainAt))) {
            drain();
        }
    }

    /**
     * Deletes forwarded transactions from the ATOMIC queue as far as it returns them, and says whether none is left.
     */
    public boolean drain() {
        return draining.with(() -> {
            try {
                return drainOwn();
            } catch (RefusedException refusal) {
                if (!refusal.isGone()) {
                    throw refusal;
                }
                queueLost();
                return true;
            }
        });
    }

    /**
     * Drains a last time. What others have purged is not waited for, however young it is: a queue that shows nothing
     * and counts nothing is taken to be empty. All that a mistake leaves in it is forwarded.
     */
    public boolean drainAtEnd() {
        return drain()
                || draining.with(() -> {
                    Optional<Identity> owner = lock.with(undeleted::owner);
                    boolean empty = owner.isEmpty() || queue.isEmpty(owner.get());
                    if (empty) {
                        queueLost();
                    }
                    return empty;
                });
    }

    private boolean drainOwn() {
        Optional<Identity> owner = lock.with(undeleted::owner);
        if (owner.isEmpty()) {
            queueLost();
            return true;
        }
        if (receivedOf != owner.get()) {
            received = new AtomicAssembly(Long.MAX_VALUE);
            receivedOf = owner.get();
        }
        return drain(queue.openExisting(owner.get()));
    }

    private boolean drain(MessageQueue messages) {
        forgetExpired();
        undeleted().forEach(received::settle);
        drain.deleteSettled(messages, received);
        forgetDeleted();
        int idle = 0;
        while (!undeleted().isEmpty()) {
            AtomicDrain.Step step = drain.run(messages, received, this::isOurs, Duration.ZERO);
            lookForOthers(step);
            forgetDeleted();
            idle += step.deleted() == 0 ? 1 : 0;
            if (step.received() == 0 || idle == IDLE_RECEIVES_MAX) {
                received.turnOver();
                return step.received() == 0 && isEmptied(messages);
            }
        }
        received.turnOver();
        return true;
    }

    /**
     * A transaction that this client knows nothing of was most likely sent by a clone of it, and there may be more: the
     * queue is left to the recovery of dead clients. So it is, needlessly, when the queue shows a deleted message
     * again.
     */
    private void lookForOthers(AtomicDrain.Step step) {
        boolean others =
                step.forwarded() > 0 || received.undecided().stream().anyMatch(transaction -> !isOurs(transaction));
        if (others && receivedOf != null) {
            receivedOf.doubt();
        }
    }

    /**
     * Whether another client has deleted what is left, because it took this one for dead and recovered it. The queue's
     * count may be a minute old, so it is believed for older transactions alone; a mistake leaves messages of forwarded
     * transactions in the queue, which is harmless.
     */
    private boolean isEmptied(MessageQueue messages) {
        long before = tasks.nowMillis() - COUNTED_AFTER.toMillis();
        boolean emptied = undeleted().stream().allMatch(transaction -> transaction.millis() < before)
                && messages.depth().total() == 0;
        if (emptied) {
            queueLost();
        }
        return emptied;
    }

    /** Notes that nothing is left to be deleted from the ATOMIC queue: it was deleted, or emptied, by others. */
    void queueLost() {
        forget(transaction -> true);
    }

    /** Forgets transactions that are older than the queue's retention: the queue will not return them again. */
    private void forgetExpired() {
        long before = tasks.nowMillis() - QueueAttributes.RETENTION_MAX.toMillis();
        forget(transaction -> transaction.millis() < before);
    }

    private void forget(Predicate<Stamp> which) {
        lock.run(() -> undeleted.forget(which));
    }

    private List<Stamp> undeleted() {
        return lock.with(undeleted::stamps);
    }

    /**
     * Whether this client is committing or forwarding the transaction, or has forwarded it during this drain, so that
     * its messages must stay for now.
     */
    private boolean isOurs(Stamp transaction) {
        return lock.with(() -> committing.contains(transaction)
                || unforwarded.contains(transaction)
                || undeleted.contains(transaction));
    }

    private void forgetDeleted() {
        lock.run(() -> undeleted.deleted(received.deleted()));
    }

    /** Whether nothing is left to be forwarded or deleted. */
    public boolean isDone() {
        return lock.with(() -> committing.isEmpty() && unforwarded.isEmpty() && undeleted.isEmpty());
    }

    /** Whether any transaction was ever committed through this forwarder. */
    public boolean isUsed() {
        return lock.with(() -> started);
    }

    public void stop() {
        loop.stop();
    }

    /**
     * A committed transaction on its way to the PU queues. Remembers which of its log records were sent, so that a
     * queue that fails has only its own share sent again. Not safe for use by many threads.
     */
    private static final class Unforwarded {
        private final StampedTransaction transaction;
        private final Identity sentTo;
        private final List<Position> positions = new ArrayList<>();
        private List<LogRecord> unsent;

        /** The name of a record: a transaction has at most one log record of each. */
        private record Name(TreeId tree, Bytes key) {
            static Name of(LogRecord record) {
                return new Name(record.tree(), record.change().key());
            }
        }

        /** @param sentTo the identity whose ATOMIC queue holds it */
        Unforwarded(StampedTransaction transaction, Identity sentTo) {
            this.transaction = transaction;
            this.sentTo = sentTo;
            this.unsent = transaction.records();
        }

        StampedTransaction transaction() {
            return transaction;
        }

        Identity sentTo() {
            return sentTo;
        }

        List<LogRecord> unsent() {
            return unsent;
        }

        /** Leaves out the log records of trees that were dropped since. */
        void discard(Predicate<TreeId> dropped) {
            unsent = unsent.stream()
                    .filter(record -> !dropped.test(record.tree()))
                    .toList();
        }

        /** Notes log records of this transaction that have arrived in a queue. */
        void sent(List<LogRecord> records, Position position) {
            Set<Name> there = records.stream().map(Name::of).collect(Collectors.toSet());
            unsent = unsent.stream()
                    .filter(record -> !there.contains(Name.of(record)))
                    .toList();
            positions.add(position);
        }

        /**
         * Whether all its log records are in PU queues, or discarded; then their places are known to the transaction.
         */
        boolean isDone() {
            if (!unsent.isEmpty()) {
                return false;
            }
            transaction.sentTo(positions);
            return true;
        }
    }

    /**
     * The transactions that are forwarded and not yet deleted in a client's ATOMIC queue, as far as the client knows.
     * When the client goes on under another identity, what is left in the queue of the old one is for others to look
     * after. Not safe for use by many threads.
     */
    private static final class Undeleted {
        /** The number of rounds without a new commit after which the few forwarded transactions are deleted too. */
        private static final int IDLE_ROUNDS = 10;

        /** Each with the parts that were deleted. */
        private final Map<Stamp, Set<Integer>> transactions = new HashMap<>();

        private @Nullable Identity owner;
        private int seen;
        private int idleRounds;
        private int idleRoundsMin = IDLE_ROUNDS;

        private void follow(Identity latest) {
            if (owner != latest && !latest.isOver()) {
                owner = latest;
                transactions.clear();
            }
        }

        /** The identity whose queue it is; empty when there is none, or not any more. */
        Optional<Identity> owner() {
            Identity known = owner;
            return known == null || known.isOver() ? Optional.empty() : Optional.of(known);
        }

        void add(Stamp transaction, Identity sentTo) {
            follow(sentTo);
            if (owner == sentTo) {
                transactions.put(transaction, new HashSet<>());
            }
        }

        /**
         * Whether it is time to delete messages: when many are forwarded, or a few and no commit came for a while, so
         * that a store at rest has no backlog. To be asked once a round.
         *
         * @param quiet whether nothing is being committed or forwarded
         * @param many the number that is enough
         */
        boolean isWorthwhile(boolean quiet, int many) {
            boolean idle = quiet && transactions.size() == seen;
            seen = transactions.size();
            idleRounds = idle ? idleRounds + 1 : 0;
            idleRoundsMin = idle ? idleRoundsMin : IDLE_ROUNDS;
            if (transactions.size() >= many) {
                return true;
            }
            boolean due = !transactions.isEmpty() && idleRounds >= idleRoundsMin;
            if (due) {
                idleRoundsMin *= 2; // what does not show for long is asked for less and less
            }
            return due;
        }

        void deleted(Set<AtomicAssembly.PartId> gone) {
            for (AtomicAssembly.PartId part : gone) {
                Set<Integer> parts = transactions.get(part.stamp());
                if (parts != null && parts.add(part.index()) && parts.size() == part.count()) {
                    transactions.remove(part.stamp());
                }
            }
        }

        void forget(Predicate<Stamp> which) {
            transactions.keySet().removeIf(which);
        }

        List<Stamp> stamps() {
            return List.copyOf(transactions.keySet());
        }

        boolean contains(Stamp transaction) {
            return transactions.containsKey(transaction);
        }

        boolean isEmpty() {
            return transactions.isEmpty();
        }
    }
}
