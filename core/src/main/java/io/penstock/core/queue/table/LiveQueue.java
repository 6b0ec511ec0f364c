package io.penstock.core.queue.table;

import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.Receipt;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one queue of this process, and the receivers that wait for them: in the order they were sent, each
 * once per visibility. The clock is that of a {@link MessageTable}. Safe for use by many threads; its lock is never
 * held across a wait.
 *
 * @param <M> the kind of messages
 */
public class LiveQueue<M extends QueuedMessage> {
    private final MemoryLock lock = new MemoryLock();
    private final String name;
    private final MessageTable<M> table = new MessageTable<>();
    private List<Promise<Boolean>> waiting = new ArrayList<>();
    private long nextNumber;
    private boolean deleted;

    public LiveQueue(String name) {
        this.name = name;
    }

    public final String name() {
        return name;
    }

    /** Runs {@code body} under the lock, unless the queue was deleted. */
    protected final <T> T locked(Supplier<T> body) {
        return lock.with(() -> {
            if (deleted) {
                throw missing(name);
            }
            return body.get();
        });
    }

    /** Draws {@code count} numbers for new messages and returns the first. */
    public final long drawNumbers(int count) {
        return locked(() -> {
            long first = nextNumber;
            nextNumber += count;
            return first;
        });
    }

    /** Leaves out numbers that were given to messages before. */
    public final void startAt(long number) {
        lock.run(() -> nextNumber = Math.max(nextNumber, number));
    }

    /** Adds messages, and wakes the waiting receivers. */
    public final void add(List<M> sent) {
        wake(lock.with(() -> {
            for (M message : sent) {
                table.add(message);
                nextNumber = Math.max(nextNumber, message.number() + 1);
            }
            return drain();
        }));
    }

    /**
     * Takes up to {@code max} visible messages, oldest first, and hides them. If there are none, {@code turn} is kept
     * until the next change of the queue, which completes it.
     *
     * @param tokens draws a token for each delivery
     */
    public final Taken<M> take(
            int max, long nowNanos, long visibleAtNanos, LongSupplier tokens, Promise<Boolean> turn) {
        return locked(() -> {
            List<Delivered<M>> taken = new ArrayList<>();
            for (M message : table.visible(max, nowNanos)) {
                Receipt receipt = table.deliver(message, tokens.getAsLong(), visibleAtNanos);
                taken.add(new Delivered<>(message, receipt, message.receiveCount()));
            }
            if (taken.isEmpty()) {
                waiting.add(turn);
            }
            return new Taken<>(taken, table.nextVisibleNanos());
        });
    }

    /** Takes back a turn that is no longer needed. */
    public final void forget(Promise<Boolean> turn) {
        lock.run(() -> waiting.remove(turn));
    }

    /** Removes the message of a delivery, as {@link MessageTable#claim} finds it, and adds it to {@code removed}. */
    public final boolean remove(Receipt receipt, List<M> removed) {
        return locked(() -> table.claim(receipt, message -> {
            table.remove(message);
            removed.add(message);
        }));
    }

    /** Hides the message of a delivery until then, if that delivery hides it now. */
    public final void changeVisibility(Receipt receipt, long nowNanos, long visibleAtNanos) {
        // Waiting receivers must wait for another time then.
        wake(locked(() -> table.changeVisibility(receipt, nowNanos, visibleAtNanos) ? drain() : List.of()));
    }

    /** Removes and returns the oldest messages, up to the first whose time is not over. */
    public final List<M> expire(Predicate<? super M> isOver) {
        return lock.with(() -> table.expire(isOver));
    }

    public final QueueDepth depth(long nowNanos) {
        return locked(() -> table.depth(nowNanos));
    }

    /** The message with this number, unless it was removed. */
    public final @Nullable M message(long number) {
        return lock.with(() -> table.find(number));
    }

    /** All messages, oldest first. */
    public final List<M> all() {
        return lock.with(() -> List.copyOf(table.all()));
    }

    /** Withdraws a message. */
    public final void withdraw(M message) {
        lock.run(() -> table.remove(message));
    }

    /** Ends the queue: later calls and waiting receivers are refused. */
    public final void markDeleted() {
        wake(lock.with(() -> {
            deleted = true;
            return drain();
        }));
    }

    private List<Promise<Boolean>> drain() {
        List<Promise<Boolean>> woken = waiting;
        waiting = new ArrayList<>();
        return woken;
    }

    private static void wake(List<Promise<Boolean>> woken) {
        woken.forEach(promise -> promise.complete(true));
    }

    /** The refusal of a call to a queue that is not there. */
    public static RefusedException missing(String name) {
        return new RefusedException(ErrorCode.QUEUE_NOT_FOUND, "there is no such queue; it was deleted", "queue", name);
    }

    /**
     * One delivery of a message.
     *
     * @param receiveCount the number of its deliveries up to this one
     */
    public record Delivered<M>(M message, Receipt receipt, int receiveCount) {}

    /**
     * The deliveries of one {@link #take}.
     *
     * @param nextVisibleNanos the time at which the next hidden message shows; the greatest number for never
     */
    public record Taken<M>(List<Delivered<M>> messages, long nextVisibleNanos) {}
}
