package io.penstock.commit.checkpoint;

import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.Receipt;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The messages of one queue that one checkpoint has in hand: received, hidden from others, and not deleted yet. It
 * receives and deletes with many requests at a time while they come back full; a queue with a few messages costs one
 * receive that finds them and one that finds nothing.
 *
 * <p>One task receives while another deletes; otherwise not safe for use by many threads.
 */
final class ReceivedBatch {
    /** The number of requests at a time. */
    private static final int WIDTH = 32;

    /** The number of full receives at a time from which all that follow go on without waiting for each other. */
    private static final int FULL = 16;

    /** The memory that a message takes for each of its bytes, as it came and decoded. */
    static final int MEMORY_FACTOR = 3;

    /** A number of polls greater than any batch has room for. */
    private static final int MANY = 1 << 14;

    private final Tasks tasks;
    private final MessageQueue queue;
    private final CheckpointSettings settings;
    private final long beganMillis;
    private final Set<Receipt> inHand = ConcurrentHashMap.newKeySet();

    /** The bytes of memory that are counted for messages in hand. */
    private final AtomicLong counted = new AtomicLong();

    // Written by the task that receives, and read by the one that waits for its end.
    private boolean emptied;
    private boolean cutOff;

    /** @param beganMillis the servers' time */
    ReceivedBatch(Tasks tasks, MessageQueue queue, CheckpointSettings settings, long beganMillis) {
        this.tasks = tasks;
        this.queue = queue;
        this.settings = settings;
        this.beganMillis = beganMillis;
    }

    /**
     * The servers' time before the first receive. Of messages that were sent later nothing is known: a machine that
     * stood still may look at what it has received long after.
     */
    long beganMillis() {
        return beganMillis;
    }

    MessageQueue queue() {
        return queue;
    }

    /** Whether the last {@link #receive} ended because all servers had nothing to show. */
    boolean isEmptied() {
        return emptied;
    }

    /** Whether the last {@link #receive} ended because it had taken enough for one plan. */
    boolean isCutOff() {
        return cutOff;
    }

    /**
     * Receives up to a batch, for at most a quarter of the lease: the messages must be applied and deleted before they
     * become visible again. Only the first receive waits for messages, since then nothing is in hand that would wait
     * with it.
     *
     * @param brief whether a first receive that finds a few messages is enough, because another call follows
     */
    List<Delivery> receive(boolean brief) {
        Gathering gathering = new Gathering(tasks.nanoTime() + settings.lease().toNanos() / 4);
        List<Delivery> taken = new ArrayList<>(gathering.poll(settings.pollWait()));
        boolean few = taken.size() < settings.batchEntries();
        emptied = taken.isEmpty();
        int polls = few ? 1 : 2;
        while (!gathering.isOver() && !(brief && few)) {
            List<Delivery> answered = gathering.pollWide(gathering.fitting(polls));
            taken.addAll(answered);
            int full = answered.size() / settings.batchEntries();
            polls = full >= FULL ? MANY : Math.max(1, 2 * answered.size() / settings.batchEntries());
            emptied = gathering.sawEmpty.get() && settings.pollWait().isZero();
        }
        cutOff = !gathering.sawEmpty.get() && gathering.isOver();
        return taken;
    }

    /** One call of {@link #receive}. */
    private final class Gathering {
        private final long deadlineNanos;
        private final AtomicLong bytes = new AtomicLong();
        private final AtomicLong answers = new AtomicLong();
        private final AtomicBoolean sawEmpty = new AtomicBoolean();

        Gathering(long deadlineNanos) {
            this.deadlineNanos = deadlineNanos;
        }

        boolean isOver() {
            boolean full = bytes.get() >= settings.batchBytes()
                    || bytes.get() > 0 && settings.memory().free() == 0;
            return sawEmpty.get() || full || tasks.nanoTime() - deadlineNanos >= 0;
        }

        List<Delivery> poll(Duration wait) {
            List<Delivery> deliveries = queue.receive(settings.batchEntries(), settings.lease(), wait);
            for (Delivery delivery : deliveries) {
                inHand.add(delivery.receipt());
                bytes.addAndGet(delivery.body().length());
            }
            count(deliveries, 1);
            answers.incrementAndGet();
            if (deliveries.isEmpty()) {
                sawEmpty.set(true);
            }
            return deliveries;
        }

        /** Polls so often, several at a time, until a poll finds nothing or enough is in hand. */
        List<Delivery> pollWide(int polls) {
            List<List<Delivery>> answered = Parallel.map(
                    tasks, WIDTH, Collections.nCopies(polls, Duration.ZERO), wait -> isOver() ? List.of() : poll(wait));
            return answered.stream().flatMap(List::stream).toList();
        }

        /**
         * Returns the number of polls that the batch has room for, if each returns as many bytes as earlier ones on
         * average.
         */
        int fitting(int polls) {
            long average = Math.max(1, bytes.get() / answers.get());
            long free = Math.min(
                    settings.batchBytes() - bytes.get(), settings.memory().free() / MEMORY_FACTOR);
            return (int) Math.min(polls, Math.max(1, free / average));
        }
    }

    private void count(List<Delivery> deliveries, int sign) {
        long bytes = sign
                * MEMORY_FACTOR
                * deliveries.stream()
                        .mapToLong(delivery -> delivery.body().length())
                        .sum();
        counted.addAndGet(bytes);
        settings.memory().take(bytes);
    }

    /** Notes that a batch is no longer in memory. */
    void drop(List<Delivery> batch) {
        count(batch, -1);
    }

    /** Deletes messages that are applied or in quarantine. */
    void delete(List<Delivery> done) {
        List<Receipt> receipts = done.stream().map(Delivery::receipt).toList();
        List<List<Receipt>> batches = new ArrayList<>();
        for (int from = 0; from < receipts.size(); from += settings.batchEntries()) {
            batches.add(receipts.subList(from, Math.min(from + settings.batchEntries(), receipts.size())));
        }
        // A message that could not be deleted is delivered again; to apply it again changes nothing.
        Parallel.map(tasks, WIDTH, batches, queue::delete);
        receipts.forEach(inHand::remove);
    }

    /** Makes what is still in hand visible again, so that no client has to wait until the lease ends. */
    void show() {
        settings.memory().give(counted.getAndSet(0));
        List<Receipt> left = List.copyOf(inHand);
        inHand.clear();
        Parallel.map(tasks, WIDTH, left, receipt -> {
            queue.changeVisibility(receipt, Duration.ZERO);
            return true;
        });
    }

    /** Makes what is in hand visible again after a failure; a second failure is added to the first as suppressed. */
    void showAfter(RuntimeException failure) {
        try {
            show();
        } catch (RuntimeException again) {
            failure.addSuppressed(again);
        }
    }
}
