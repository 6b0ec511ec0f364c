package io.penstock.core.queue.local;

import io.penstock.core.queue.table.LiveQueue;
import java.time.Duration;
import java.util.List;

/**
 * A queue of the log: its messages in memory, without their bodies, and where the log has its own entry. Safe for use
 * by many threads; no lock is held across a read of the file.
 */
final class QueueState extends LiveQueue<HeldMessage> {
    private final LogEntry queue;
    private final long openedMillis;
    /** The place of the queue in the log; changed by the log alone. */
    private volatile Place place;
    /** Whether the queue takes messages: no longer while its deletion is written. Changed by the log alone. */
    private volatile boolean takesMessages = true;

    /**
     * @param queue the queue's entry
     * @param openedMillis when the service was opened: time in which no message could be received does not count toward
     *     its retention, or a store that rests for long would lose committed changes
     */
    QueueState(LogEntry queue, Place place, long openedMillis) {
        super(queue.body().toUtf8());
        this.queue = queue;
        this.place = place;
        this.openedMillis = openedMillis;
    }

    long id() {
        return queue.queue();
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

    void takeMessages(boolean takes) {
        takesMessages = takes;
    }

    void checkTakesMessages() {
        if (!locked(() -> takesMessages)) {
            throw missing(name());
        }
    }

    Duration retention() {
        return Duration.ofMillis(queue.number());
    }

    /** Forgets messages older than the retention, and returns them. */
    List<HeldMessage> expire(long nowMillis) {
        return expire(message -> Math.max(message.sentMillis(), openedMillis) + queue.number() <= nowMillis);
    }
}
