package io.penstock.commit.queue;

import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.task.SingleFlight;
import io.penstock.core.task.Tasks;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A check of the queues that a client has found and not made: they may have been made with a configuration that loses
 * messages. Each queue is asked once for all parts of a client. Safe for use by many threads.
 */
public final class QueueInspection {
    private static final Logger LOG = LoggerFactory.getLogger(QueueInspection.class);

    /** The least maximum message size: 256 KiB, which was SQS's own for long, less what a message adds. */
    public static final int MESSAGE_BYTES_MIN = (256 << 10) - 64;

    private final QueueLimits service;
    private final SingleFlight<String, QueueLimits> looking;

    /** The queues that may take messages, by name, and the limits of a send to each. */
    private final Map<String, QueueLimits> sound = new ConcurrentHashMap<>();

    /** @param service the limits of the queue service, which hold for the queues that this client makes */
    public QueueInspection(QueueLimits service, Tasks tasks) {
        this.service = service;
        this.looking = new SingleFlight<>(tasks);
    }

    /** Notes a queue that this client has made. */
    void made(String queue) {
        sound.put(queue, service);
    }

    /** Forgets a queue that refused a call: it may have been replaced by another. */
    void forget(String queue) {
        sound.remove(queue);
    }

    /** The limits of a send to a queue, as far as they are known. Makes no request. */
    QueueLimits limits(String queue) {
        return sound.getOrDefault(queue, service);
    }

    /**
     * Checks that a queue may take messages.
     *
     * @throws RefusedException when its configuration would lose them
     */
    void require(MessageQueue queue) {
        if (!sound.containsKey(queue.name())) {
            looking.call(queue.name(), () -> look(queue));
        }
    }

    private QueueLimits look(MessageQueue queue) {
        QueueLimits limits = allowed(queue, queue.configuration());
        sound.put(queue.name(), limits);
        return limits;
    }

    private QueueLimits allowed(MessageQueue queue, QueueConfiguration found) {
        fault(found, service).ifPresent(fault -> {
            throw new RefusedException(
                    ErrorCode.UNSUPPORTED_SERVER,
                    "a queue that others made would lose messages; nothing was sent to it, " + fault,
                    "queue",
                    queue.name());
        });
        int messageBytes = Math.min(service.messageBytes(), found.messageBytes());
        return new QueueLimits(service.batchEntries(), service.batchBytes(), messageBytes);
    }

    /** Tells of a lock queue that would lose its token. A new token takes its place, so this is no reason to stop. */
    void tell(MessageQueue queue) {
        try {
            fault(queue.configuration(), service)
                    .ifPresent(fault -> LOG.warn(
                            "a lock queue that others made loses its token, and checkpoints then pause; {} queue={}",
                            fault,
                            queue.name()));
        } catch (RefusedException refusal) {
            LOG.warn(
                    "the configuration of a lock queue cannot be read queue={} why={}",
                    queue.name(),
                    refusal.getMessage());
        } catch (StoreException unknown) {
            LOG.debug("the configuration of a lock queue cannot be read queue={}", queue.name());
        }
    }

    /** Returns the change that a queue's configuration needs, or empty. Pure. */
    private static Optional<String> fault(QueueConfiguration found, QueueLimits service) {
        if (found.fifo()) {
            return Optional.of("make it a standard queue");
        }
        if (found.redrives()) {
            return Optional.of("remove its RedrivePolicy");
        }
        if (!found.delay().isZero()) {
            return Optional.of("set its DelaySeconds to 0");
        }
        if (found.retention().compareTo(QueueAttributes.RETENTION_MAX) < 0) {
            return Optional.of("set its MessageRetentionPeriod to " + QueueAttributes.RETENTION_MAX.toSeconds());
        }
        return found.messageBytes() < Math.min(MESSAGE_BYTES_MIN, service.messageBytes())
                ? Optional.of("set its MaximumMessageSize to at least 262144")
                : Optional.empty();
    }
}
