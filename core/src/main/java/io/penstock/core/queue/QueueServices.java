package io.penstock.core.queue;

import io.penstock.core.meter.RequestMeters;
import io.penstock.core.retry.Retries;
import io.penstock.core.retry.RetryPolicy;
import io.penstock.core.task.Tasks;

/** The layer over a queue service and its queues that counts and repeats requests. Closing it closes what is below. */
public final class QueueServices {
    private QueueServices() {}

    /** Counts and times every request, under the names in {@link RequestMeters}; repeats none. */
    public static QueueService metered(QueueService inner, RequestMeters meters, Tasks tasks) {
        return retrying(inner, RetryPolicy.NONE, tasks, meters);
    }

    /**
     * Counts and times every request, and repeats calls that failed for the moment, within {@code policy}: every call,
     * even when the outcome of an attempt is unknown. A send may thus put a message into the queue twice. That is
     * harmless, because all our messages are idempotent, and queues repeat messages by themselves anyway.
     *
     * <p>A send repeats only those messages of the batch that the queue refused without a fault of the sender. When the
     * attempts are used up, they are reported as not sent, if the queue ever answered; otherwise the last failure is
     * thrown, but as {@link io.penstock.core.OutcomeUnknownException} if any attempt may have taken effect.
     */
    public static QueueService retrying(QueueService inner, RetryPolicy policy, Tasks tasks, RequestMeters meters) {
        return new ServedQueueService(inner, new Retries(tasks, policy, meters), meters, tasks);
    }
}
