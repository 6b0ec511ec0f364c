package io.penstock.core.queue.memory;

import io.penstock.core.queue.table.LiveQueue;
import java.time.Duration;

/** The messages of one queue. Safe for use by many threads. */
final class MemoryQueue extends LiveQueue<MemoryMessage> {
    private final Duration retention;

    MemoryQueue(String name, Duration retention) {
        super(name);
        this.retention = retention;
    }

    Duration retention() {
        return retention;
    }

    /** Drops messages older than the retention. */
    void expire(long nowMillis) {
        expire(message -> message.sentMillis() + retention.toMillis() <= nowMillis);
    }
}
