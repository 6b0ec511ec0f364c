package io.penstock.core.queue;

import io.penstock.core.meter.RequestMeters;
import io.penstock.core.retry.Retries;
import io.penstock.core.retry.RetryPolicy;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.Timekeeper;

/**
 * Layers over a queue service and its queues, one concern each. Put {@link #metered} below {@link #retrying}, so that
 * every attempt is counted. Closing a layer closes those below.
 */
public final class QueueServices {
    private QueueServices() {}

    /** Counts and times every request, under the names in {@link RequestMeters}. */
    public static QueueService metered(QueueService inner, RequestMeters meters, Timekeeper clock) {
        return new MeteredQueueService(inner, meters, clock);
    }

    /**
     * Repeats calls that failed for the moment, within {@code policy}: every call, even when the outcome of an attempt
     * is unknown. A send may thus put a message into the queue twice. That is harmless, because all our messages are
     * idempotent, and queues repeat messages by themselves anyway.
     *
     * <p>A send repeats only those messages of the batch that the queue refused without a fault of the sender. When the
     * attempts are used up, they are reported as not sent, if the queue ever answered; otherwise the last failure is
     * thrown, but as {@link io.penstock.core.OutcomeUnknownException} if any attempt may have taken effect.
     */
    public static QueueService retrying(QueueService inner, RetryPolicy policy, Tasks tasks, RequestMeters meters) {
        return new RetryingQueueService(inner, new Retries(tasks, policy, meters));
    }
}
