package io.penstock.core.queue.local;

import io.penstock.core.RefusedException;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.Receipt;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a queue, their visibility, and the receivers that wait: in memory, about 150 bytes a message.
 *
 * <p>The lock is never held across a wait or a read of the file. Safe for use by many threads.
 */
final class QueueState {
    private final MemoryLock lock = new MemoryLock();
    private final LogEntry queue;
    private final String name;
    private final long openedMillis;
    /** Where the log has the queue; changed by the log alone. */
    private volatile Place place;

    private final TreeMap<Long, HeldMessage> messages = new TreeMap<>();
    private final TreeMap<Long, HeldMessage> visible = new TreeMap<>();
    private final TreeSet<HeldMessage> hidden =
            new TreeSet<>(Comparator.<HeldMessage>comparingLong(message -> message.visibleAtNanos)
                    .thenComparingLong(message -> message.number));
    private List<Promise<Boolean>> waiting = new ArrayList<>();
    private long nextNumber;
    private boolean deleted;
    private boolean takesMessages = true;

    /**
     * @param queue the queue's entry
     * @param openedMillis when the service was opened: time in which no message could be received does not count toward
     *     its retention, or a store that rests for long would lose committed changes
     */
    QueueState(LogEntry queue, Place place, long openedMillis) {
        this.queue = queue;
        this.name = queue.body().toUtf8();
        this.place = place;
        this.openedMillis = openedMillis;
    }

    long id() {
        return queue.queue();
    }

    String name() {
        return name;
    }

    /** The queue's entry in the log. */
    LogEntry entry() {
        return queue;
    }

    Place place() {
        return place;
    }

    void moved(Place to) {
        place = to;
    }

    /** Whether the queue takes messages: no longer while its deletion is written. */
    void takeMessages(boolean takes) {
        lock.lock();
        try {
            takesMessages = takes;
        } finally {
            lock.unlock();
        }
    }

    void checkTakesMessages() {
        lock.lock();
        try {
            checkThere();
            if (!takesMessages) {
                throw missing(name);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The message with this number, unless it was removed. */
    @Nullable
    HeldMessage message(long number) {
        lock.lock();
        try {
            return messages.get(number);
        } finally {
            lock.unlock();
        }
    }

    /** All messages, oldest first. */
    List<HeldMessage> all() {
        lock.lock();
        try {
            return List.copyOf(messages.values());
        } finally {
            lock.unlock();
        }
    }

    /** Withdraws a message that cannot be read, so that the others go on. */
    void setAside(HeldMessage message) {
        lock.lock();
        try {
            drop(message);
        } finally {
            lock.unlock();
        }
    }

    Duration retention() {
        return Duration.ofMillis(queue.number());
    }

    /** Draws {@code count} numbers for new messages and returns the first. */
    long drawNumbers(int count) {
        lock.lock();
        try {
            checkThere();
            long first = nextNumber;
            nextNumber += count;
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Adds messages that are durable now and wakes the waiting receivers. */
    void add(List<HeldMessage> sent) {
        List<Promise<Boolean>> woken;
        lock.lock();
        try {
            for (HeldMessage message : sent) {
                messages.put(message.number, message);
                visible.put(message.number, message);
                nextNumber = Math.max(nextNumber, message.number + 1);
            }
            woken = wake();
        } finally {
            lock.unlock();
        }
        woken.forEach(promise -> promise.complete(true));
    }

    /** Leaves out numbers that were given to messages before. */
    void startAt(long number) {
        lock.lock();
        try {
            nextNumber = Math.max(nextNumber, number);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes up to {@code max} visible messages, oldest first, and hides them. If there are none, {@code turn} is kept
     * until the next change of the queue, which completes it.
     *
     * @param nowNanos the queue's clock
     * @param tokens draws a token for each delivery
     */
    Taken take(int max, long nowNanos, long visibleAtNanos, LongSupplier tokens, Promise<Boolean> turn) {
        lock.lock();
        try {
            checkThere();
            show(nowNanos);
            List<Delivered> taken = new ArrayList<>();
            while (taken.size() < max && !visible.isEmpty()) {
                HeldMessage message = visible.pollFirstEntry().getValue();
                message.receiveCount++;
                message.token = tokens.getAsLong();
                hide(message, visibleAtNanos);
                taken.add(new Delivered(message, message.receipt(), message.receiveCount));
            }
            if (taken.isEmpty()) {
                waiting.add(turn);
            }
            return new Taken(taken, hidden.isEmpty() ? Long.MAX_VALUE : hidden.first().visibleAtNanos);
        } finally {
            lock.unlock();
        }
    }

    /** Takes back a turn that is no longer needed. */
    void forget(Promise<Boolean> turn) {
        lock.lock();
        try {
            waiting.remove(turn);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes the message of a delivery and adds it to {@code removed}; false when a newer delivery has it, or {@code
     * handle} is foreign.
     */
    boolean remove(HeldMessage.@Nullable Handle handle, List<HeldMessage> removed) {
        lock.lock();
        try {
            checkThere();
            if (handle == null) {
                return false;
            }
            HeldMessage message = messages.get(handle.number());
            if (message == null) {
                return true;
            }
            if (!message.isNewest(handle)) {
                return false;
            }
            drop(message);
            removed.add(message);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Hides the message of a delivery until {@code visibleAtNanos}, if it is hidden by that delivery now. */
    void changeVisibility(HeldMessage.@Nullable Handle handle, long nowNanos, long visibleAtNanos) {
        List<Promise<Boolean>> woken;
        lock.lock();
        try {
            checkThere();
            show(nowNanos);
            HeldMessage message = handle == null ? null : messages.get(handle.number());
            if (handle == null || message == null || !message.hidden || !message.isNewest(handle)) {
                return;
            }
            hidden.remove(message);
            hide(message, visibleAtNanos);
            // Waiting receivers must wait for another time now.
            woken = wake();
        } finally {
            lock.unlock();
        }
        woken.forEach(promise -> promise.complete(true));
    }

    /** Forgets messages older than the retention, and returns them. */
    List<HeldMessage> expire(long nowMillis) {
        lock.lock();
        try {
            List<HeldMessage> expired = new ArrayList<>();
            while (!messages.isEmpty()) {
                HeldMessage oldest = messages.firstEntry().getValue();
                if (Math.max(oldest.sentMillis, openedMillis) + queue.number() > nowMillis) {
                    break;
                }
                drop(oldest);
                expired.add(oldest);
            }
            return expired;
        } finally {
            lock.unlock();
        }
    }

    QueueDepth depth(long nowNanos) {
        lock.lock();
        try {
            checkThere();
            show(nowNanos);
            return new QueueDepth(visible.size(), hidden.size());
        } finally {
            lock.unlock();
        }
    }

    /** Ends the queue: later calls and waiting receivers are refused. */
    void markDeleted() {
        List<Promise<Boolean>> woken;
        lock.lock();
        try {
            deleted = true;
            woken = wake();
        } finally {
            lock.unlock();
        }
        woken.forEach(promise -> promise.complete(true));
    }

    private List<Promise<Boolean>> wake() {
        List<Promise<Boolean>> woken = waiting;
        waiting = new ArrayList<>();
        return woken;
    }

    private void show(long nowNanos) {
        while (!hidden.isEmpty() && hidden.first().visibleAtNanos <= nowNanos) {
            HeldMessage message = hidden.removeFirst();
            message.hidden = false;
            visible.put(message.number, message);
        }
    }

    private void hide(HeldMessage message, long visibleAtNanos) {
        message.hidden = true;
        message.visibleAtNanos = visibleAtNanos;
        hidden.add(message);
    }

    private void drop(HeldMessage message) {
        messages.remove(message.number);
        visible.remove(message.number);
        hidden.remove(message);
    }

    private void checkThere() {
        if (deleted) {
            throw missing(name);
        }
    }

    static RefusedException missing(String name) {
        return RefusedException.gone("there is no such queue; it was deleted", "queue", name);
    }

    /** One message given out; its body is still in the file. */
    record Delivered(HeldMessage message, Receipt receipt, int receiveCount) {}

    /**
     * The messages that {@link #take} found, and when the next hidden one becomes visible (the queue's clock; far away
     * for never).
     */
    record Taken(List<Delivered> messages, long nextVisibleNanos) {}
}
