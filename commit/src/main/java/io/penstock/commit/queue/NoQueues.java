package io.penstock.commit.queue;

import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueService;
import java.util.List;
import java.util.Optional;

/** The queue service of a store without queues: it has none, makes no request, and refuses to make any. */
public final class NoQueues implements QueueService {
    public static final NoQueues INSTANCE = new NoQueues();

    /** Payloads are large or small by the page alone. */
    private static final QueueLimits LIMITS = new QueueLimits(10, 16 << 20, 16 << 20);

    private NoQueues() {}

    @Override
    public MessageQueue create(String name, QueueAttributes attributes) {
        throw new RefusedException(
                ErrorCode.NEEDS_QUEUES,
                "this needs a queue, and the store was opened without a queue service; use the levels SNAPSHOT and"
                        + " SERIALIZABLE, or a store with queues",
                "queue",
                name);
    }

    @Override
    public Optional<MessageQueue> find(String name) {
        return Optional.empty();
    }

    @Override
    public List<String> list(String prefix) {
        return List.of();
    }

    @Override
    public void delete(String name) {
        // there is none
    }

    @Override
    public QueueLimits limits() {
        return LIMITS;
    }

    @Override
    public void close() {
        // nothing is open
    }
}
