package io.penstock.core.queue;

import java.time.Duration;

/**
 * The configuration that a queue has on its server, made by this client or not.
 *
 * @param retention the time for which a message is kept
 * @param delay the time for which a new message is hidden
 * @param messageBytes the most that one message holds, in bytes of our bodies
 * @param redrives whether messages that were received often are moved to another queue
 * @param fifo whether it is no standard queue
 */
public record QueueConfiguration(Duration retention, Duration delay, int messageBytes, boolean redrives, boolean fifo) {
    /** The configuration of a standard queue that adds nothing to the limits of its service. */
    public static QueueConfiguration standard(Duration retention, QueueLimits limits) {
        return new QueueConfiguration(retention, Duration.ZERO, limits.messageBytes(), false, false);
    }
}
