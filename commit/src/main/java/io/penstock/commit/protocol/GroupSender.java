package io.penstock.commit.protocol;

import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.SendResult;
import io.penstock.core.task.Permits;
import io.penstock.core.task.Promise;
import io.penstock.core.task.TaskEnded;
import io.penstock.core.task.Tasks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends items to one queue with group commit: while calls are under way, items gather, and the next call takes as many
 * as one batch holds, whoever they came from. The callers themselves do the calling, by turns.
 *
 * <p>With one call in flight the items arrive numbered in the order of sending. Numbers of items that certainly did not
 * arrive are given out again. A failure of unknown outcome breaks the sender for good, since a later item must not
 * overtake one that may be lost. Safe for use by many threads.
 */
final class GroupSender<T> {
    /** How much may be handed in and not yet sent, unless it is one caller's alone: beyond it callers are refused. */
    static final long WAITING_BYTES_MAX = 64 << 20;

    private final MessageQueue queue;
    private final QueueLimits limits;
    private final MessageFormat<T> format;
    private final Tasks tasks;
    private final Permits turns;
    private final boolean ordered;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock:
    private final ArrayDeque<Submission<T>> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private long sent;
    private @Nullable StoreException broken;

    /** The numbers that items got, from {@code first} to {@code last}; other callers' items may lie between. */
    record Range(long first, long last) {}

    /** @param inFlight how many calls may be under way at a time; with one the sender keeps order */
    GroupSender(Tasks tasks, MessageQueue queue, QueueLimits limits, MessageFormat<T> format, int inFlight) {
        this.queue = queue;
        this.limits = limits;
        this.format = format;
        this.tasks = tasks;
        this.turns = new Permits(tasks, inFlight);
        this.ordered = inFlight == 1;
    }

    /**
     * Returns when the queue has all {@code items}.
     *
     * @throws UnavailableException when it has none of them
     * @throws InvalidRequestException when it has none of them, and one is too large
     * @throws OutcomeUnknownException when it may have some
     */
    Range send(List<T> items) {
        Submission<T> mine = new Submission<>(items, tasks.promise());
        long bytes = items.stream().mapToLong(format::bytesMax).sum();
        enter(mine, bytes);
        try {
            // What is handed in travels with other callers' items, so there is no way back for an interrupted caller.
            tasks.shielded("send", () -> {
                awaitEnd(mine);
                return true;
            });
        } finally {
            leave(bytes);
        }
        return mine.result(queue.name());
    }

    private void enter(Submission<T> submission, long bytes) {
        lock.lock();
        try {
            if (waitingBytes > 0 && waitingBytes + bytes > WAITING_BYTES_MAX) {
                throw new UnavailableException(
                        "too much waits to be sent to the queue; nothing of this was sent, wait and retry",
                        "queue",
                        queue.name(),
                        "bytes",
                        waitingBytes,
                        "bytesMax",
                        WAITING_BYTES_MAX);
            }
            waitingBytes += bytes;
            waiting.add(submission);
        } finally {
            lock.unlock();
        }
    }

    private void leave(long bytes) {
        lock.lock();
        try {
            waitingBytes -= bytes;
        } finally {
            lock.unlock();
        }
    }

    /** An upper bound of what callers have handed in and wait for. */
    long waitingBytes() {
        lock.lock();
        try {
            return waitingBytes;
        } finally {
            lock.unlock();
        }
    }

    private void awaitEnd(Submission<T> mine) {
        while (!mine.isDone()) {
            if (isUnderWay(mine)) {
                mine.ended.await(); // with a call of another caller, who settles it
                break;
            }
            turns.run(() -> {
                if (!mine.isDone()) {
                    sendNext();
                }
            });
        }
    }

    /** Whether nothing of it is left to be sent, so that there is only to wait. */
    private boolean isUnderWay(Submission<T> submission) {
        lock.lock();
        try {
            return submission.isTaken() || submission.isGivenUp();
        } finally {
            lock.unlock();
        }
    }

    /** Whether a failure has ended this sender. */
    boolean isBroken() {
        lock.lock();
        try {
            return broken != null;
        } finally {
            lock.unlock();
        }
    }

    private void sendNext() {
        Batch<T> batch = takeBatch();
        if (!batch.messages.isEmpty()) {
            settle(batch, call(batch));
        }
        batch.over().forEach(submission -> submission.ended.complete(true));
    }

    /**
     * A call that failed.
     *
     * @param away whether the queue failed and not a message: it was tried long enough, so nobody need try in his turn
     */
    private record Failure(StoreException reason, boolean away) {}

    private void settle(Batch<T> batch, @Nullable Failure failure) {
        StoreException reason = failure == null ? null : failure.reason;
        lock.lock();
        try {
            if (ordered && reason != null) {
                settleNumbers(batch, reason);
            }
            batch.shares.forEach(share -> share.settle(reason));
            while (failure != null && failure.away && !waiting.isEmpty()) {
                batch.refuse(waiting.removeFirst(), turnedAway(failure.reason));
            }
        } finally {
            lock.unlock();
        }
    }

    /** The numbers of items that certainly did not arrive are given out again; else there may be a hole in them. */
    private void settleNumbers(Batch<T> batch, StoreException reason) {
        if (reason instanceof OutcomeUnknownException) {
            broken = reason;
        } else {
            sent = batch.sentBefore;
        }
    }

    private UnavailableException turnedAway(StoreException cause) {
        return new UnavailableException(
                "the queue failed for others; what came after was not sent, retry it", cause, "queue", queue.name());
    }

    private @Nullable Failure call(Batch<T> batch) {
        try {
            for (SendResult result : queue.send(batch.messages)) {
                if (result instanceof SendResult.NotSent notSent) {
                    return new Failure(notTaken(batch, notSent), false);
                }
            }
            return null;
        } catch (StoreException failure) {
            return new Failure(failure, true);
        } catch (TaskEnded end) {
            throw end;
        } catch (Throwable failure) { // of any kind: other callers wait to be told
            return new Failure(
                    new OutcomeUnknownException("a send failed unexpectedly", failure, "queue", queue.name()), false);
        }
    }

    /** Others of the batch may have been sent, so nobody can tell which of a caller's items arrived. */
    private StoreException notTaken(Batch<T> batch, SendResult.NotSent notSent) {
        return batch.messages.size() == 1
                ? new UnavailableException(
                        "the queue did not take a message; retry", "queue", queue.name(), "reason", notSent.reason())
                : new OutcomeUnknownException(
                        "the queue took only some messages of a batch",
                        "queue",
                        queue.name(),
                        "reason",
                        notSent.reason());
    }

    /** As many waiting items as fit one call, oldest first. */
    private Batch<T> takeBatch() {
        lock.lock();
        try {
            Batch<T> batch = new Batch<>(sent);
            while (!waiting.isEmpty() && batch.messages.size() < limits.batchEntries()) {
                Submission<T> next = waiting.getFirst();
                if (broken != null) {
                    batch.refuse(waiting.removeFirst(), turnedAway(broken));
                } else if (next.isGivenUp()) {
                    waiting.removeFirst();
                } else if (!takeMessage(batch)) {
                    if (!batch.messages.isEmpty()) {
                        break;
                    }
                    batch.refuse(waiting.removeFirst(), tooLarge(next.peek()));
                }
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private InvalidRequestException tooLarge(T item) {
        return new InvalidRequestException(
                "a log record does not fit into a message of this queue service; make the record smaller",
                "bytes",
                format.bytesMax(item),
                "messageBytes",
                limits.messageBytes());
    }

    /** Adds one message to {@code batch}; false when the batch has no room for it. */
    private boolean takeMessage(Batch<T> batch) {
        int room = Math.min(limits.messageBytes(), limits.batchBytes() - batch.bytes) - format.overheadBytesMax();
        List<T> items = new ArrayList<>();
        while (!waiting.isEmpty() && !waiting.getFirst().isGivenUp() && items.size() < format.itemsMax()) {
            Submission<T> next = waiting.getFirst();
            T item = next.peek();
            int bytes = format.bytesMax(item);
            if (bytes > room) {
                break;
            }
            room -= bytes;
            items.add(item);
            next.take(sent + items.size());
            batch.add(next);
            if (next.isTaken()) {
                waiting.removeFirst();
            }
        }
        if (items.isEmpty()) {
            return false;
        }
        Bytes message = format.encode(sent + 1, items);
        sent += items.size();
        batch.messages.add(message);
        batch.bytes += message.length();
        return true;
    }

    /** One call's messages, whose items are in them, and who was refused when it was put together or has failed. */
    private static final class Batch<T> {
        final List<Bytes> messages = new ArrayList<>();
        final List<Submission<T>> shares = new ArrayList<>();
        final List<Submission<T>> refused = new ArrayList<>();
        /** How many items were sent before these. */
        final long sentBefore;

        int bytes;

        Batch(long sentBefore) {
            this.sentBefore = sentBefore;
        }

        void refuse(Submission<T> submission, StoreException reason) {
            submission.fail(reason);
            refused.add(submission);
        }

        /** Whose callers may be told. */
        List<Submission<T>> over() {
            return Stream.concat(shares.stream(), refused.stream())
                    .filter(Submission::isDone)
                    .toList();
        }

        void add(Submission<T> submission) {
            if (shares.isEmpty() || shares.getLast() != submission) {
                shares.add(submission);
                submission.underWay++;
            }
        }
    }

    /** What one caller has handed in. Guarded by the sender's lock, but for {@link #done}. */
    private static final class Submission<T> {
        private final List<T> items;

        /** Kept when an item's last call is over: for the caller whose items travelled with another's. */
        private final Promise<Boolean> ended;

        private int taken;
        private int underWay;
        private long first;
        private long last;
        private boolean someSent;
        private @Nullable StoreException failure;
        private volatile boolean done;

        Submission(List<T> items, Promise<Boolean> ended) {
            this.items = items;
            this.ended = ended;
            this.done = items.isEmpty();
        }

        T peek() {
            return items.get(taken);
        }

        void take(long number) {
            first = taken == 0 ? number : first;
            last = number;
            taken++;
        }

        boolean isTaken() {
            return taken == items.size();
        }

        boolean isDone() {
            return done;
        }

        void settle(@Nullable StoreException outcome) {
            underWay--;
            if (outcome == null) {
                someSent = true;
            } else if (failure == null || outcome instanceof OutcomeUnknownException) {
                failure = outcome;
            }
            done = underWay == 0 && (isTaken() || failure != null);
        }

        /** Whether what is left of it need not be sent, since some of it has failed. */
        boolean isGivenUp() {
            return failure != null;
        }

        void fail(StoreException reason) {
            failure = failure == null ? reason : failure;
            done = underWay == 0;
        }

        Range result(String queueName) {
            if (failure == null) {
                return new Range(first, last);
            }
            if (someSent || failure instanceof OutcomeUnknownException) {
                throw new OutcomeUnknownException(
                        "it is not known which log records were sent; read to find out", failure, "queue", queueName);
            }
            throw failure;
        }
    }
}
