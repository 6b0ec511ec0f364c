package io.penstock.commit.checkpoint;

import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Recurring;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
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
     * The number of queues that one client checkpoints in parallel; each checkpoint writes many pages in parallel
     * itself.
     */
    private static final int QUEUES_AT_ONCE = 4;

    private final Tasks tasks;
    private final Checkpointer checkpointer;
    private final LedgerStore ledgers;
    private final Duration interval;
    private final boolean enabled;
    private final Supplier<Set<PuQueueId>> awaited;
    private final Recurring loop;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock; times are Timekeeper.nanoTime.
    private final TreeMap<PuQueueId, Long> due = new TreeMap<>();
    private final TreeMap<PuQueueId, Long> lastRun = new TreeMap<>();
    private final long openedNanos;
    private boolean started;

    /** The time when ledgers were last read. Once the loop is started, only its task writes this field. */
    private volatile long lookedNanos;

    /**
     * @param enabled whether this client checkpoints; if not, it only reads the ledgers that others write
     * @param awaited the queues in whose ledgers sessions of this client wait for their own log records
     */
    public CheckpointLoop(
            Tasks tasks,
            Checkpointer checkpointer,
            LedgerStore ledgers,
            Duration interval,
            boolean enabled,
            Supplier<Set<PuQueueId>> awaited) {
        this.tasks = tasks;
        this.checkpointer = checkpointer;
        this.ledgers = ledgers;
        this.interval = interval;
        this.enabled = enabled;
        this.awaited = awaited;
        this.loop = new Recurring(tasks, "checkpoints", interval);
        this.openedNanos = tasks.nanoTime();
    }

    /** Records that log records were sent to a queue. */
    public void touch(PuQueueId queue) {
        boolean first;
        long now = tasks.nanoTime();
        lock.lock();
        try {
            long last = lastRun.getOrDefault(queue, openedNanos);
            due.putIfAbsent(queue, Math.max(now, last + interval.toNanos()));
            first = !started;
            started = true;
        } finally {
            lock.unlock();
        }
        if (first) {
            lookedNanos = tasks.nanoTime();
            // Due times are multiples of the interval apart, so it is precise enough to wake up a few times in each.
            loop.start(interval.dividedBy(4).plusMillis(1), this::checkpointDue);
        }
    }

    /** The queues that were written to since this client last checkpointed them. */
    public Set<PuQueueId> pending() {
        lock.lock();
        try {
            return Set.copyOf(due.keySet());
        } finally {
            lock.unlock();
        }
    }

    /** Removes and returns the pending queues. The caller must {@link #touch} each that it cannot checkpoint. */
    public Set<PuQueueId> takePending() {
        lock.lock();
        try {
            Set<PuQueueId> queues = new TreeSet<>(due.keySet());
            due.clear();
            return queues;
        } finally {
            lock.unlock();
        }
    }

    /** Starts no further checkpoints, and waits for running ones, at most for the given time. */
    public void stop(Duration atMost) {
        if (!loop.stop(atMost)) {
            LOG.warn("a checkpoint is still under way; closing without waiting any longer");
        }
    }

    /** The task that checkpoints. */
    public Recurring loop() {
        return loop;
    }

    private void checkpointDue() {
        List<PuQueueId> ready = enabled ? takeDue() : List.of();
        Parallel.map(tasks, QUEUES_AT_ONCE, ready, this::checkpoint);
        if (tasks.nanoTime() - lookedNanos >= interval.toNanos()) {
            lookedNanos = tasks.nanoTime();
            look();
        }
    }

    private List<PuQueueId> takeDue() {
        long now = tasks.nanoTime();
        List<PuQueueId> ready = new ArrayList<>();
        lock.lock();
        try {
            for (Map.Entry<PuQueueId, Long> entry : due.entrySet()) {
                if (entry.getValue() - now <= 0) {
                    ready.add(entry.getKey());
                }
            }
            // Done before the checkpoint, so that records sent during it make the queue due again.
            ready.forEach(queue -> {
                due.remove(queue);
                lastRun.put(queue, now);
            });
            return ready;
        } finally {
            lock.unlock();
        }
    }

    /** Checkpoints one queue, and makes it due again if that was not done in full. */
    private boolean checkpoint(PuQueueId queue) {
        try {
            CheckpointResult result = checkpointer.checkpoint(queue);
            if (!result.leased() || result.heldBack() > 0) {
                touch(queue);
            }
            return true;
        } catch (RuntimeException e) {
            LOG.warn("a checkpoint failed and is tried again later queue={} why={}", queue, e.getMessage());
            touch(queue);
            return false;
        }
    }

    /** Reads the ledgers in which sessions wait for records that other clients seem to apply. */
    private void look() {
        Set<PuQueueId> own = enabled ? pending() : Set.of();
        for (PuQueueId queue : awaited.get()) {
            try {
                if (!own.contains(queue)) {
                    ledgers.refresh(queue);
                }
            } catch (RuntimeException e) {
                LOG.warn("a ledger could not be read; trying again later queue={} why={}", queue, e.getMessage());
            }
        }
    }
}
