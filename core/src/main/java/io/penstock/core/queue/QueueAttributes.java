package io.penstock.core.queue;

import java.time.Duration;

/**
 * The attributes of a new queue. Always set explicitly: the servers' defaults differ (retention of 4 days on SQS).
 *
 * @param retention the time for which a message is kept, 60 s to 14 days
 * @param visibility the time for which a received message is hidden when the receiver does not say, 0 s to 12 h
 */
public record QueueAttributes(Duration retention, Duration visibility) {
    /** The longest SQS keeps a message. */
    public static final Duration RETENTION_MAX = Duration.ofDays(14);

    public static final QueueAttributes STANDARD = new QueueAttributes(RETENTION_MAX, Duration.ofSeconds(60));
}
