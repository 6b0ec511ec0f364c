package io.penstock.commit.protocol;

import io.penstock.commit.log.LogRecord;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.task.Permits;
import io.penstock.core.task.Promise;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a client's committed ATOMIC transactions to the PU queues, from memory, many at a time, and then removes them
 * from the ATOMIC queue. What it has not done when the client dies, a recovery does from the queue. Safe for use by
 * many threads.
 */
public final class Forwarder {
    private static final Logger LOG = LoggerFactory.getLogger(Forwarder.class);

    /** How much may be committed and not yet forwarded; beyond it commits are refused, so that memory stays bounded. */
    private static final long WAITING_BYTES_MAX = 64 << 20;

    /** How many forwarded transactions are remembered, so that what is left of them in the queue is known as such. */
    private static final int FORWARDED_MAX = 10_000;

    /** Receives of one {@link #drain} beyond those that its messages need: the rest is for another time. */
    private static final int SPARE_RECEIVES = 8;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Tasks tasks;
    private final Router router;
    private final OrderedSenders senders;
    private final AtomicQueue queue;
    private final AtomicDrain drain;
    private final int drainAt;
    private final Duration interval;
    private final Permits work;
    private final Promise<Boolean> stopped;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock:
    private final ArrayDeque<Committed> waiting = new ArrayDeque<>();
    private final Set<Stamp> unforwarded = new HashSet<>();
    private final BoundedSet<Stamp> forwarded = new BoundedSet<>(FORWARDED_MAX);
    private long waitingBytes;

    /** About how many parts of forwarded transactions are still in the ATOMIC queue. */
    private int undeletedParts;

    private boolean started;

    /**
     * @param senders of the background part: forwarding is no part of a transaction's own cost
     * @param drainAt how many forwarded transactions gather before their messages are deleted
     */
    public Forwarder(
            Tasks tasks,
            Router router,
            OrderedSenders senders,
            AtomicQueue queue,
            AtomicDrain drain,
            int drainAt,
            Duration interval) {
        this.tasks = tasks;
        this.router = router;
        this.senders = senders;
        this.queue = queue;
        this.drain = drain;
        this.drainAt = drainAt;
        this.interval = interval;
        this.work = new Permits(tasks, 1);
        this.stopped = tasks.promise();
    }

    void requireRoom() {
        lock.lock();
        try {
            if (waitingBytes > WAITING_BYTES_MAX) {
                throw new UnavailableException(
                        "too much is committed and not yet forwarded; nothing was committed, wait and retry",
                        "bytes",
                        waitingBytes,
                        "bytesMax",
                        WAITING_BYTES_MAX);
            }
        } finally {
            lock.unlock();
        }
    }

    /** @param parts in how many parts it was sent to the ATOMIC queue */
    void add(Committed transaction, int parts) {
        boolean first;
        lock.lock();
        try {
            waiting.add(transaction);
            undeletedParts += parts;
            waitingBytes += transaction.bytes();
            unforwarded.add(transaction.stamp());
            first = !started;
            started = true;
        } finally {
            lock.unlock();
        }
        if (first) {
            tasks.start("forwarder", this::run);
        }
    }

    /** How many committed transactions are not yet in the PU queues. */
    public int unforwarded() {
        return locked(unforwarded::size);
    }

    private void run() {
        while (!stopped.awaitFor(interval)) {
            try {
                forward();
                drainIfWorthwhile();
            } catch (StoreException e) {
                LOG.warn("committed transactions could not be forwarded yet; trying again why={}", e.getMessage());
                stopped.awaitFor(RETRY_AFTER);
            }
        }
    }

    /** Sends all that waits to the PU queues. What fails waits on. */
    public void forward() {
        work.run(() -> {
            List<Committed> batch = take();
            if (batch.isEmpty()) {
                return;
            }
            boolean done = false;
            try {
                List<LogRecord> records = new ArrayList<>();
                batch.forEach(transaction -> records.addAll(transaction.records()));
                List<Position> positions = senders.send(router, records);
                batch.forEach(transaction -> transaction.sentTo(positions));
                done = true;
            } finally {
                finish(batch, done);
            }
        });
    }

    private List<Committed> take() {
        return locked(() -> {
            List<Committed> batch = List.copyOf(waiting);
            waiting.clear();
            return batch;
        });
    }

    private void finish(List<Committed> batch, boolean done) {
        lock.lock();
        try {
            if (!done) {
                batch.reversed().forEach(waiting::addFirst);
                return;
            }
            for (Committed transaction : batch) {
                unforwarded.remove(transaction.stamp());
                forwarded.add(transaction.stamp());
                waitingBytes -= transaction.bytes();
            }
        } finally {
            lock.unlock();
        }
    }

    private void drainIfWorthwhile() {
        if (undeletedParts() >= drainAt) {
            drain();
        }
    }

    /** Deletes forwarded transactions from the ATOMIC queue, as far as it shows them; true when none is left. */
    public boolean drain() {
        return work.with(() -> {
            MessageQueue messages = queue.open();
            int spare = SPARE_RECEIVES;
            while (undeletedParts() > 0) {
                // One for each step: what this step does not delete will be shown again.
                AtomicAssembly assembly = new AtomicAssembly(this::isForwarded);
                AtomicDrain.Step step = drain.run(messages, assembly, this::isWaiting, Duration.ZERO);
                deleted(assembly.deletedParts());
                spare -= step.deleted() == 0 ? 1 : 0;
                if (step.received() == 0 || spare == 0) {
                    return false;
                }
            }
            return true;
        });
    }

    private int undeletedParts() {
        return locked(() -> undeletedParts);
    }

    private void deleted(int parts) {
        // Below zero when a message came twice: it was two only in appearance.
        locked(() -> undeletedParts = Math.max(0, undeletedParts - parts));
    }

    private boolean isForwarded(Stamp stamp) {
        return locked(() -> forwarded.contains(stamp));
    }

    private boolean isWaiting(Stamp stamp) {
        return locked(() -> unforwarded.contains(stamp));
    }

    private <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }

    /** Whether any transaction was ever committed through this forwarder. */
    public boolean isUsed() {
        return locked(() -> started);
    }

    public void stop() {
        stopped.complete(true);
    }
}
