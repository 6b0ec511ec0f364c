package io.penstock.commit.protocol;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.SendResult;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Permits;
import io.penstock.core.task.Promise;
import io.penstock.core.task.TaskEnded;
import io.penstock.core.task.Tasks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A sender of items to one queue with group commit: items gather while calls are in flight, and the next call takes as
 * many as one batch holds, from any caller. There is no thread for sending: the callers take turns to make the calls.
 *
 * <p>With one call in flight the items arrive numbered in the order of sending. Numbers of items that certainly did not
 * arrive are given out again. A failure of unknown outcome breaks the sender for good, since a later item must not
 * overtake one that may be lost. Safe for use by many threads.
 */
final class GroupSender<T> {
    /** The most bytes that may wait to be sent. Above it callers are refused, except a caller that is alone. */
    static final long WAITING_BYTES_MAX = 64 << 20;

    private final MessageQueue queue;
    private final Supplier<QueueLimits> limits;
    private final MessageFormat<T> format;
    private final Tasks tasks;
    private final Permits turns;
    private final boolean ordered;
    private final MemoryLock lock = new MemoryLock();

    // Guarded by lock:
    private final ArrayDeque<Submission<T>> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private long sent;

    /** The number of the last item that has arrived. */
    private long acknowledged;

    private @Nullable StoreException broken;

    /** Whether what was sent is lost with its queue, so that nothing waits for it. */
    private boolean lost;

    /** The numbers of a caller's items, from {@code first} to {@code last}. Items of other callers may lie between. */
    record Range(long first, long last) {}

    /**
     * @param limits of the queue as far as they are known
     * @param inFlight the most concurrent calls; with one the sender keeps order
     */
    GroupSender(Tasks tasks, MessageQueue queue, Supplier<QueueLimits> limits, MessageFormat<T> format, int inFlight) {
        this.queue = queue;
        this.limits = limits;
        this.format = format;
        this.tasks = tasks;
        this.turns = new Permits(tasks, inFlight);
        this.ordered = inFlight == 1;
    }

    /**
     * Sends {@code items}, and returns when the queue has all of them.
     *
     * @throws UnavailableException when it has none of them
     * @throws InvalidRequestException when it has none of them, and one is too large
     * @throws OutcomeUnknownException when it may have some
     */
    Range send(List<T> items) {
        return send(queue, items);
    }

    /**
     * Sends as {@link #send(List)}.
     *
     * @param handle of the queue, for the calls that this caller makes: calls are counted for the caller that makes
     *     them
     */
    Range send(MessageQueue handle, List<T> items) {
        Submission<T> mine = new Submission<>(items, tasks.promise());
        long bytes = items.stream().mapToLong(format::bytesMax).sum();
        enter(mine, bytes);
        try {
            // Others' items travel in the same messages, so an interrupted caller cannot take its own back.
            tasks.uninterruptibly("send", () -> {
                awaitEnd(mine, handle);
                return true;
            });
        } finally {
            leave(bytes);
        }
        return mine.result(queue.name());
    }

    private void enter(Submission<T> submission, long bytes) {
        lock.run(() -> {
            if (waitingBytes > 0 && waitingBytes + bytes > WAITING_BYTES_MAX) {
                throw new UnavailableException(
                        ErrorCode.BACKLOG_FULL,
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
        });
    }

    private void leave(long bytes) {
        lock.run(() -> waitingBytes -= bytes);
    }

    /** An upper bound of the bytes that callers have submitted and wait for. */
    long waitingBytes() {
        return lock.with(() -> waitingBytes);
    }

    private void awaitEnd(Submission<T> mine, MessageQueue handle) {
        while (!mine.isDone()) {
            if (isUnderWay(mine)) {
                mine.ended.await(); // another caller makes that call and settles this one
                break;
            }
            turns.run(() -> {
                if (!mine.isDone()) {
                    sendNext(handle);
                }
            });
        }
    }

    /** Whether no item of it is left to send, so that its caller only has to wait. */
    private boolean isUnderWay(Submission<T> submission) {
        return lock.with(() -> submission.isTaken() || submission.isGivenUp());
    }

    /** Whether a failure has ended this sender. */
    boolean isBroken() {
        return lock.with(() -> broken != null);
    }

    /**
     * Ends this sender: what still waits is refused.
     *
     * @return the number of the last item that has arrived, or is on its way; 0 when there is none, or all are lost
     */
    long retire() {
        return lock.with(() -> {
            if (broken != null) {
                return lost ? 0 : acknowledged;
            }
            broken = new UnavailableException("the sender goes on under another id; retry");
            return sent;
        });
    }

    /** Whether anything has arrived. */
    boolean hasArrived() {
        return lock.with(() -> acknowledged > 0);
    }

    /** Ends this sender, since the queue was deleted with what it has sent: what comes next must not wait for that. */
    void lose() {
        lock.run(() -> {
            lost = true;
            if (broken == null) {
                broken = new UnavailableException("the queue was deleted; retry", "queue", queue.name());
            }
        });
    }

    boolean isLost() {
        return lock.with(() -> lost);
    }

    private void sendNext(MessageQueue handle) {
        Batch<T> batch = takeBatch();
        if (!batch.messages.isEmpty()) {
            settle(batch, call(batch, handle));
        }
        batch.over().forEach(submission -> submission.ended.complete(true));
    }

    /** A failed call; {@code away}: the queue failed, not a message, so waiting callers are refused at once. */
    private record Failure(StoreException reason, boolean away) {}

    private void settle(Batch<T> batch, @Nullable Failure failure) {
        StoreException reason = failure == null ? null : failure.reason;
        lock.run(() -> {
            if (ordered) {
                settleNumbers(batch, reason);
            }
            batch.shares.forEach(share -> share.settle(reason));
            while (failure != null && failure.away && !waiting.isEmpty()) {
                batch.refuse(waiting.removeFirst(), turnedAway(failure.reason));
            }
        });
    }

    /** The numbers of items that certainly did not arrive are given out again; else there may be a hole in them. */
    private void settleNumbers(Batch<T> batch, @Nullable StoreException reason) {
        if (reason == null) {
            acknowledged = batch.sentAfter;
        } else if (reason instanceof OutcomeUnknownException) {
            broken = reason;
        } else {
            sent = batch.sentBefore;
        }
    }

    private UnavailableException turnedAway(StoreException cause) {
        return new UnavailableException(
                "an earlier call to the queue failed; this was not sent, retry it", cause, "queue", queue.name());
    }

    private @Nullable Failure call(Batch<T> batch, MessageQueue handle) {
        try {
            for (SendResult result : handle.send(batch.messages)) {
                if (result instanceof SendResult.NotSent notSent) {
                    return new Failure(notTaken(batch, notSent), false);
                }
            }
            return null;
        } catch (StoreException failure) {
            return new Failure(failure, true);
        } catch (TaskEnded end) {
            throw end;
        } catch (Throwable failure) { // of any kind: other callers wait for the outcome
            return new Failure(
                    new OutcomeUnknownException("a send failed unexpectedly", failure, "queue", queue.name()), false);
        }
    }

    /** The failure of a batch: others of its messages may have arrived, so no caller knows which of its items did. */
    private StoreException notTaken(Batch<T> batch, SendResult.NotSent notSent) {
        @Nullable
        InvalidRequestException cause = notSent.senderFault()
                ? new InvalidRequestException(
                        ErrorCode.TOO_LARGE,
                        "the queue refuses a message; raise its maximum size",
                        "queue",
                        queue.name())
                : null;
        return batch.messages.size() == 1
                ? new UnavailableException(
                        "the queue did not take a message; retry",
                        cause,
                        "queue",
                        queue.name(),
                        "reason",
                        notSent.reason())
                : new OutcomeUnknownException(
                        "the queue took only some messages of a batch",
                        cause,
                        "queue",
                        queue.name(),
                        "reason",
                        notSent.reason());
    }

    /** Takes as many waiting items as fit into one call, oldest first. */
    private Batch<T> takeBatch() {
        return lock.with(() -> {
            Batch<T> batch = new Batch<>(sent, limits.get());
            while (!waiting.isEmpty() && batch.messages.size() < batch.limits.batchEntries()) {
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
            batch.sentAfter = sent;
            return batch;
        });
    }

    private InvalidRequestException tooLarge(T item) {
        return new InvalidRequestException(
                ErrorCode.TOO_LARGE,
                "a log record does not fit into a message of this queue service; make the record smaller",
                "bytes",
                format.bytesMax(item),
                "messageBytes",
                limits.get().messageBytes());
    }

    /** Adds one message to {@code batch}, and returns false when the batch has no room for it. */
    private boolean takeMessage(Batch<T> batch) {
        int room = batch.room() - format.overheadBytesMax();
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

    /** The messages of one call, the submissions whose items are in them, and those that were refused or failed. */
    private static final class Batch<T> {
        final List<Bytes> messages = new ArrayList<>();
        final List<Submission<T>> shares = new ArrayList<>();
        final List<Submission<T>> refused = new ArrayList<>();
        /** The number of items sent before these. */
        final long sentBefore;

        final QueueLimits limits;

        /** The number of items sent with these. */
        long sentAfter;

        int bytes;

        Batch(long sentBefore, QueueLimits limits) {
            this.sentBefore = sentBefore;
            this.limits = limits;
        }

        /** The bytes that one more message may have. */
        int room() {
            return Math.min(limits.messageBytes(), limits.batchBytes() - bytes);
        }

        void refuse(Submission<T> submission, StoreException reason) {
            submission.fail(reason);
            refused.add(submission);
        }

        /** Returns the submissions that are over, whose callers can be answered. */
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

    /** The items that one caller has submitted. Guarded by the sender's lock, except {@link #isDone}. */
    private static final class Submission<T> {
        private final List<T> items;

        /** The end: completed when the last call with one of its items is over, which another caller may have made. */
        final Promise<Boolean> ended;

        private int taken;
        int underWay;
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

        /** Whether the rest of it need not be sent, because some of it has failed. */
        boolean isGivenUp() {
            return failure != null;
        }

        void fail(StoreException reason) {
            failure = failure == null ? reason : failure;
            done = underWay == 0;
        }

        GroupSender.Range result(String queueName) {
            if (failure == null) {
                return new GroupSender.Range(first, last);
            }
            if (someSent || failure instanceof OutcomeUnknownException) {
                throw new OutcomeUnknownException(
                        "it is not known which log records were sent; read to find out", failure, "queue", queueName);
            }
            throw failure;
        }
    }
}
