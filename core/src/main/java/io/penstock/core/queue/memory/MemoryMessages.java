package io.penstock.core.queue.memory;

import io.penstock.core.Bytes;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.Receipt;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The messages of one queue, in the order they were sent, and the receivers that wait. Safe for many threads. */
final class MemoryMessages {
    private static final String SEPARATOR = "-";

    /** The two clocks, read by the caller: no task is asked under the lock. */
    record Now(long nanos, long millis) {}

    /** @param nextVisibleInNanos until the next hidden message shows, if none was taken */
    record Taken(List<Delivery> deliveries, long nextVisibleInNanos) {}

    /** Guarded by the queue's lock. */
    private static final class Message {
        final String id;
        final Bytes body;
        final long sentMillis;
        int receiveCount;
        /** The time at which it shows, by {@code Tasks.nanoTime}; meaningless before the first delivery. */
        long visibleAtNanos;

        Message(String id, Bytes body, long sentMillis) {
            this.id = id;
            this.body = body;
            this.sentMillis = sentMillis;
        }

        boolean isVisible(long nowNanos) {
            return receiveCount == 0 || visibleAtNanos - nowNanos <= 0;
        }

        Receipt receipt() {
            return new Receipt(id + SEPARATOR + receiveCount);
        }
    }

    private final MemoryLock lock = new MemoryLock();
    private final String name;
    private final Duration retention;
    private final Map<String, Message> messages = new LinkedHashMap<>();
    private List<Promise<Boolean>> waiting = new ArrayList<>();
    private long sent;
    private boolean ended;

    MemoryMessages(String name, Duration retention) {
        this.name = name;
        this.retention = retention;
    }

    Duration retention() {
        return retention;
    }

    private <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            if (ended) {
                throw MemoryQueueService.missing(name);
            }
            return body.get();
        } finally {
            lock.unlock();
        }
    }

    /** Adds messages, wakes the receivers, and returns the messages' ids. */
    List<String> add(List<Bytes> bodies, long nowMillis) {
        List<String> ids = new ArrayList<>();
        wake(locked(() -> {
            for (Bytes body : bodies) {
                String id = Long.toString(++sent);
                messages.put(id, new Message(id, body, nowMillis));
                ids.add(id);
            }
            return drain();
        }));
        return ids;
    }

    /** Takes up to {@code max} visible messages and hides them. If there are none, the next change is told. */
    Taken take(int max, Now now, Duration visibility, Promise<Boolean> change) {
        return locked(() -> {
            expire(now.millis);
            List<Delivery> taken = new ArrayList<>();
            long next = Long.MAX_VALUE;
            for (Message message : messages.values()) {
                if (taken.size() == max) {
                    break;
                }
                if (message.isVisible(now.nanos)) {
                    message.receiveCount++;
                    message.visibleAtNanos = now.nanos + visibility.toNanos();
                    taken.add(new Delivery(
                            message.id, message.receipt(), message.body, message.sentMillis, message.receiveCount));
                } else {
                    next = Math.min(next, message.visibleAtNanos - now.nanos);
                }
            }
            if (taken.isEmpty()) {
                waiting.add(change);
            }
            return new Taken(taken, next);
        });
    }

    /** Takes back what was given to {@link #take}. */
    void forget(Promise<Boolean> change) {
        lock.lock();
        try {
            waiting.remove(change);
        } finally {
            lock.unlock();
        }
    }

    /** Removes the message of a delivery; false when a newer delivery has it, or the receipt is foreign. */
    boolean remove(Receipt receipt) {
        return locked(() -> {
            int separator = receipt.handle().indexOf(SEPARATOR);
            if (separator < 0) {
                return false;
            }
            Message message = messages.get(receipt.handle().substring(0, separator));
            if (message == null) {
                return true;
            }
            boolean newest = message.receipt().equals(receipt);
            if (newest) {
                messages.remove(message.id);
            }
            return newest;
        });
    }

    /** Hides the message of a delivery for that long, if that delivery hides it still. */
    void changeVisibility(Receipt receipt, long nowNanos, Duration visibility) {
        wake(locked(() -> {
            Message message = find(receipt);
            if (message == null || message.isVisible(nowNanos)) {
                return List.of();
            }
            message.visibleAtNanos = nowNanos + visibility.toNanos();
            // Waiting receivers must wait for another time now.
            return drain();
        }));
    }

    private @Nullable Message find(Receipt receipt) {
        int separator = receipt.handle().indexOf(SEPARATOR);
        Message message = separator < 0 ? null : messages.get(receipt.handle().substring(0, separator));
        return message != null && message.receipt().equals(receipt) ? message : null;
    }

    QueueDepth depth(Now now) {
        return locked(() -> {
            expire(now.millis);
            long visible = messages.values().stream()
                    .filter(message -> message.isVisible(now.nanos))
                    .count();
            return new QueueDepth(visible, messages.size() - visible);
        });
    }

    /** Ends the queue: later calls and waiting receivers are refused. */
    void end() {
        wake(locked(() -> {
            ended = true;
            return drain();
        }));
    }

    private void expire(long nowMillis) {
        Iterator<Message> oldest = messages.values().iterator();
        while (oldest.hasNext() && oldest.next().sentMillis + retention.toMillis() <= nowMillis) {
            oldest.remove();
        }
    }

    private List<Promise<Boolean>> drain() {
        List<Promise<Boolean>> woken = waiting;
        waiting = new ArrayList<>();
        return woken;
    }

    private static void wake(List<Promise<Boolean>> woken) {
        woken.forEach(promise -> promise.complete(true));
    }
}
