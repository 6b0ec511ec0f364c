package io.penstock.commit.checkpoint;

import io.penstock.commit.client.ServerClock;
import io.penstock.commit.queue.Position;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Promise;
import io.penstock.core.task.Recurring;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A background task that checkpoints the PU queues that this client has written to: a queue is due when this client's
 * last checkpoint of it is older than the interval. Safe for use by many threads.
 */
public final class CheckpointLoop {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointLoop.class);

    /**
     * The number of queues that one client checkpoints at a time; each checkpoint writes many pages in parallel itself.
     * One that is stuck in its retries holds up no other, as long as not all of them are stuck.
     */
    private static final int QUEUES_AT_ONCE = 8;

    /**
     * The least time between this client's checkpoints of a queue where memory is short; the interval, where that is
     * shorter.
     */
    private static final Duration HURRY_EVERY = Duration.ofSeconds(1);

    /** The age from which a queue's count of messages has noticed a message. */
    private static final Duration COUNTED_AFTER = Duration.ofMinutes(2);

    private final Tasks tasks;
    private final Checkpointer checkpointer;
    private final LedgerStore ledgers;
    private final PendingAge age;
    private final Duration interval;
    private final boolean enabled;
    private final Supplier<Set<PuQueueId>> awaited;
    private final Recurring loop;
    private final Unapplied unapplied;
    private final LeftBehind left;
    private final AtomicBoolean looking = new AtomicBoolean();
    private final MemoryLock lock = new MemoryLock();

    // Guarded by lock; times are Timekeeper.nanoTime.
    private final TreeMap<PuQueueId, Long> due = new TreeMap<>();
    private final TreeMap<PuQueueId, Long> lastRun = new TreeMap<>();
    private final TreeMap<PuQueueId, Promise<Boolean>> running = new TreeMap<>();
    private final long openedNanos;
    private boolean started;

    /** The time when ledgers were last read. */
    private volatile long lookedNanos;

    /**
     * @param age observes the records that wait to be applied
     * @param enabled whether this client checkpoints; if not, it only reads the ledgers that others write
     * @param awaited the queues in whose ledgers sessions of this client wait for their own log records
     */
    public CheckpointLoop(
            Tasks tasks,
            Checkpointer checkpointer,
            LedgerStore ledgers,
            ServerClock serverClock,
            PendingAge age,
            Duration interval,
            boolean enabled,
            Supplier<Set<PuQueueId>> awaited) {
        this.tasks = tasks;
        this.checkpointer = checkpointer;
        this.ledgers = ledgers;
        this.age = age;
        this.interval = interval;
        this.enabled = enabled;
        this.awaited = awaited;
        this.unapplied = new Unapplied(tasks);
        this.left = new LeftBehind(tasks, serverClock);
        age.include(unapplied::age);
        age.include(left::age);
        this.loop = new Recurring(tasks, "checkpoints", interval);
        this.openedNanos = tasks.nanoTime();
    }

    /** Records that log records of this client have arrived in a queue. */
    public void sent(Position position) {
        if (enabled || position.isOrdered()) { // nobody tells this client when others apply what has no order
            unapplied.sent(position);
        }
        touch(position.queue());
    }

    /** The log records that this client has sent and has not seen applied. */
    public Unapplied unapplied() {
        return unapplied;
    }

    /** Schedules the checkpoint of a queue that may hold something. */
    public void touch(PuQueueId queue) {
        long now = tasks.nanoTime();
        boolean first = lock.with(() -> {
            long last = lastRun.getOrDefault(queue, openedNanos);
            due.putIfAbsent(queue, Math.max(now, last + interval.toNanos()));
            boolean isFirst = !started;
            started = true;
            return isFirst;
        });
        if (first) {
            lookedNanos = tasks.nanoTime();
            // Due times are multiples of the interval apart, so it is precise enough to wake up a few times in each.
            loop.start(interval.dividedBy(4).plusMillis(1), () -> checkpointDue(interval));
        }
    }

    /**
     * Schedules an early checkpoint of those queues that hold this client's records, to free session memory. Where
     * other clients checkpoint, the ledgers of the queues are read early instead.
     */
    public void checkpointSoon(Set<PuQueueId> queues) {
        Duration apart = interval.compareTo(HURRY_EVERY) < 0 ? interval : HURRY_EVERY;
        lock.run(() -> {
            for (PuQueueId queue : queues) {
                long soon = lastRun.getOrDefault(queue, openedNanos) + apart.toNanos();
                due.computeIfPresent(queue, (id, time) -> Math.min(time, soon));
            }
        });
        checkpointDue(enabled ? interval : apart);
    }

    /** The queues that were written to since this client last checkpointed them. */
    public Set<PuQueueId> pending() {
        return lock.with(() -> Set.copyOf(due.keySet()));
    }

    /** Removes and returns the pending queues. The caller must {@link #touch} each that it cannot checkpoint. */
    public Set<PuQueueId> takePending() {
        return lock.with(() -> {
            Set<PuQueueId> queues = new TreeSet<>(due.keySet());
            due.clear();
            return queues;
        });
    }

    /** Starts no further checkpoints, and waits for running ones, at most for the given time. */
    public void stop(Duration atMost) {
        long deadline = tasks.nanoTime() + atMost.toNanos();
        boolean ended = loop.stop(atMost);
        for (Promise<Boolean> checkpoint : lock.with(() -> List.copyOf(running.values()))) {
            ended &= checkpoint.awaitFor(Duration.ofNanos(Math.max(0, deadline - tasks.nanoTime())));
        }
        if (!ended) {
            LOG.warn("a checkpoint is still under way; closing without waiting any longer");
        }
    }

    /** The task that checkpoints. */
    public Recurring loop() {
        return loop;
    }

    private void checkpointDue(Duration lookEvery) {
        if (enabled) {
            takeDue().forEach(this::start);
        }
        boolean due = tasks.nanoTime() - lookedNanos >= lookEvery.toNanos();
        if (due && !looking.getAndSet(true)) {
            lookedNanos = tasks.nanoTime();
            tasks.start("ledgers", () -> loop.attempt(this::look));
        }
    }

    /** Takes the queues that are due and not being checkpointed, as many as may be worked on. */
    private Map<PuQueueId, Promise<Boolean>> takeDue() {
        long now = tasks.nanoTime();
        Map<PuQueueId, Promise<Boolean>> taken = new TreeMap<>();
        return lock.with(() -> {
            for (Map.Entry<PuQueueId, Long> entry : due.entrySet()) {
                boolean free = !running.containsKey(entry.getKey()) && running.size() + taken.size() < QUEUES_AT_ONCE;
                if (free && entry.getValue() - now <= 0) {
                    taken.put(entry.getKey(), tasks.promise());
                }
            }
            running.putAll(taken);
            // Done before the checkpoint, so that records sent during it make the queue due again.
            taken.keySet().forEach(queue -> {
                due.remove(queue);
                lastRun.put(queue, now);
            });
            return taken;
        });
    }

    /** Checkpoints one queue, in a task of its own: however long it takes, others are not held up. */
    private void start(PuQueueId queue, Promise<Boolean> ended) {
        tasks.start("queue checkpoint", () -> {
            AtomicBoolean done = new AtomicBoolean();
            try {
                loop.attempt(() -> done.set(attempt(queue)));
            } finally {
                ended(queue, done.get());
                ended.complete(true);
            }
        });
    }

    /** Notes that the checkpoint of a queue has ended. If it was not done in full, the queue is due again. */
    private void ended(PuQueueId queue, boolean done) {
        lock.run(() -> {
            running.remove(queue);
            if (!done) {
                due.putIfAbsent(queue, lastRun.getOrDefault(queue, openedNanos) + interval.toNanos());
            }
        });
    }

    private boolean attempt(PuQueueId queue) {
        try {
            boolean own = unapplied.isAwaited(queue);
            Checkpointer.Outcome outcome = checkpoint(queue, Checkpointer.Reach.SHOWN);
            return outcome.report().heldBack() == 0 && isDone(queue, own, outcome);
        } catch (StoreException failure) {
            LOG.warn("a checkpoint failed and is tried again later queue={} why={}", queue, failure.getMessage());
            return false;
        }
    }

    /** Checkpoints one queue now, on behalf of the caller. */
    public Checkpointer.Outcome checkpoint(PuQueueId queue, Checkpointer.Reach reach) {
        long start = tasks.nanoTime();
        try {
            Checkpointer.Outcome outcome = checkpointer.checkpoint(queue, reach);
            if (outcome.leased()) {
                note(queue, start, outcome);
            }
            return outcome;
        } catch (RefusedException refusal) {
            if (refusal.isGone()) {
                unapplied.forget(queue);
                left.forget(queue);
            }
            throw refusal;
        }
    }

    private void note(PuQueueId queue, long startNanos, Checkpointer.Outcome outcome) {
        left.note(queue, outcome);
        if (outcome.isClean()) {
            unapplied.emptied(queue, startNanos);
        } else if (outcome.reached()) {
            unapplied.looked(queue, startNanos);
        }
        unapplied.applied(queue, ledgers.lastSeen(queue));
    }

    /** Checkpoints one queue now, and returns whether all that this client sent there is applied, by any client. */
    public boolean finish(PuQueueId queue, Checkpointer.Reach reach) {
        boolean own = unapplied.isAwaited(queue);
        return isDone(queue, own, checkpoint(queue, reach));
    }

    private boolean isDone(PuQueueId queue, boolean own, Checkpointer.Outcome outcome) {
        if (!outcome.leased()) {
            return own && isAppliedByOthers(queue);
        }
        return outcome.isClean() || own && !unapplied.isAwaited(queue);
    }

    /** Looks whether the client that has the lease has applied what this one has sent. */
    private boolean isAppliedByOthers(PuQueueId queue) {
        if (unapplied.isTold(queue)) {
            ledgers.refresh(queue);
            unapplied.applied(queue, ledgers.lastSeen(queue));
        }
        return !unapplied.isAwaited(queue);
    }

    /** Reads the ledgers in which this client waits for records that other clients seem to apply. */
    private void look() {
        try {
            Set<PuQueueId> wanted = new TreeSet<>(awaited.get());
            if (enabled) {
                wanted.removeAll(pending()); // its own checkpoints read them
            } else {
                wanted.addAll(unapplied.queues());
            }
            Parallel.map(tasks, QUEUES_AT_ONCE, List.copyOf(wanted), this::look);
            unapplied.queues().forEach(this::forgetIfLost);
            age.age(); // tells if that is great
        } finally {
            looking.set(false);
        }
    }

    /** Forgets what has waited for long in a queue that holds nothing: it was lost, or applied without a word. */
    private void forgetIfLost(PuQueueId queue) {
        try {
            long before = tasks.nanoTime() - COUNTED_AFTER.toNanos();
            if (unapplied.age(queue).compareTo(age.late()) > 0 && checkpointer.isEmpty(queue)) {
                unapplied.emptied(queue, before);
            }
        } catch (StoreException failure) {
            LOG.debug("a queue was not counted queue={} why={}", queue, failure.getMessage());
        }
    }

    private boolean look(PuQueueId queue) {
        try {
            ledgers.refresh(queue);
            unapplied.applied(queue, ledgers.lastSeen(queue));
            return true;
        } catch (StoreException failure) {
            LOG.warn("a ledger could not be read; trying again later queue={} why={}", queue, failure.getMessage());
            return false;
        }
    }

    /**
     * The oldest messages, of all senders, that this client's last checkpoints have left in their queues. Safe for use
     * by many threads.
     */
    private static final class LeftBehind {
        /** The time after a look for which its findings count: later, others may have applied what was left. */
        private static final Duration KNOWN_FOR = Duration.ofMinutes(10);

        private final Timekeeper time;
        private final ServerClock serverClock;
        private final Map<PuQueueId, Seen> seen = new ConcurrentHashMap<>();

        private record Seen(long oldestMillis, long nanos) {}

        LeftBehind(Timekeeper time, ServerClock serverClock) {
            this.time = time;
            this.serverClock = serverClock;
        }

        /** Notes what a checkpoint that had the lease has done and left. */
        void note(PuQueueId queue, Checkpointer.Outcome left) {
            if (left.oldestMillis().isPresent()) {
                seen.put(queue, new Seen(left.oldestMillis().getAsLong(), time.nanoTime()));
            } else {
                seen.remove(queue);
            }
        }

        void forget(PuQueueId queue) {
            seen.remove(queue);
        }

        /** The age of the oldest message that was left; empty when none is known. */
        Optional<Duration> age() {
            long now = time.nanoTime();
            seen.values().removeIf(left -> now - left.nanos > KNOWN_FOR.toNanos());
            return seen.values().stream()
                    .map(left -> Duration.ofMillis(serverClock.nowMillis() - left.oldestMillis))
                    .max(Comparator.naturalOrder());
        }
    }
}
