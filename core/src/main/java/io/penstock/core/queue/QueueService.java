package io.penstock.core.queue;

import java.util.List;
import java.util.Optional;

/**
 * Creates, finds and removes queues. Names are 1 to 80 of {@code A-Z a-z 0-9 - _}.
 *
 * <p>Every method may throw {@link io.penstock.core.UnavailableException}. Safe for use by many threads.
 */
public interface QueueService extends AutoCloseable {
    /**
     * The queue of that name, created with {@code attributes} if it was missing. Idempotent. Waits until a recently
     * deleted name is free again (SQS: 60 seconds).
     */
    MessageQueue create(String name, QueueAttributes attributes);

    /** The queue of that name, if there is one. */
    Optional<MessageQueue> find(String name);

    /**
     * The names of all queues that start with {@code prefix}, sorted. May miss queues created within the last minute.
     */
    List<String> list(String prefix);

    /** Removes the queue and all its messages; nothing happens when there is none. */
    void delete(String name);

    /** The limits of one call. */
    QueueLimits limits();

    /** Releases local resources; queues and messages stay. */
    @Override
    void close();
}
