package io.penstock.core.queue.table;

import io.penstock.core.queue.Receipt;

/**
 * A message of a {@link MessageTable}, and its newest delivery; its body is its subclass's. Guarded by whatever guards
 * the table.
 */
public abstract class QueuedMessage {
    final long number;
    private final long sentMillis;
    /** The time from which it shows, in nanoseconds of the queue's clock; the least number: it was never hidden. */
    long visibleAtNanos = Long.MIN_VALUE;

    private int receiveCount;
    /** The token of the newest delivery; meaningless before the first. */
    private long token;

    /**
     * @param number greater for newer messages of a queue; in no other message of it
     * @param sentMillis the time of sending, in milliseconds since 1970
     */
    protected QueuedMessage(long number, long sentMillis) {
        this.number = number;
        this.sentMillis = sentMillis;
    }

    /** Copies a message, with the state of its deliveries. */
    protected QueuedMessage(QueuedMessage other) {
        this(other.number, other.sentMillis);
        visibleAtNanos = other.visibleAtNanos;
        receiveCount = other.receiveCount;
        token = other.token;
    }

    public final long number() {
        return number;
    }

    public final long sentMillis() {
        return sentMillis;
    }

    /** The number of its deliveries. */
    public final int receiveCount() {
        return receiveCount;
    }

    public final boolean isVisible(long nowNanos) {
        return visibleAtNanos <= nowNanos;
    }

    Receipt deliver(long newToken) {
        receiveCount++;
        token = newToken;
        return new Handle(number, token).receipt();
    }

    boolean isNewest(Handle handle) {
        return receiveCount > 0 && handle.token() == token;
    }
}
