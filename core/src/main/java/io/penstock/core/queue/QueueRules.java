package io.penstock.core.queue;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.time.Duration;
import java.util.List;

/**
 * The limits of SQS on calls, checked in the same way by every implementation, so that none of them is laxer than the
 * servers. Every method throws {@link InvalidRequestException} when a rule is broken. Safe for use by many threads.
 */
public final class QueueRules {
    public static final int NAME_LENGTH_MAX = 80;
    public static final Duration VISIBILITY_MAX = Duration.ofHours(12);
    public static final Duration WAIT_MAX = Duration.ofSeconds(20);
    public static final Duration RETENTION_MIN = Duration.ofSeconds(60);

    private QueueRules() {}

    /** A name has 1 to 80 of {@code A-Z a-z 0-9 - _}. */
    public static void checkName(String name) {
        boolean plain = name.chars()
                .allMatch(c -> (c >= 'a' && c <= 'z')
                        || (c >= 'A' && c <= 'Z')
                        || (c >= '0' && c <= '9')
                        || c == '-'
                        || c == '_');
        if (!plain || name.isEmpty() || name.length() > NAME_LENGTH_MAX) {
            throw new InvalidRequestException(
                    "a queue name must be 1 to 80 of A-Z a-z 0-9 - _; choose another", "name", name);
        }
    }

    /** Checks that retention and visibility are within the servers' ranges. */
    public static void checkAttributes(QueueAttributes attributes) {
        checkVisibility(attributes.visibility());
        Duration retention = attributes.retention();
        if (retention.compareTo(RETENTION_MIN) < 0 || retention.compareTo(QueueAttributes.RETENTION_MAX) > 0) {
            throw new InvalidRequestException(
                    "a queue's retention must be 60 s to 14 days; choose another", "retention", retention);
        }
    }

    /** A batch that is not empty, and within {@code limits}. */
    public static void checkSend(QueueLimits limits, List<Bytes> bodies) {
        checkBatch(limits, bodies.size());
        long bytes = 0;
        for (Bytes body : bodies) {
            bytes += body.length();
            if (body.length() > limits.messageBytes()) {
                throw new InvalidRequestException(
                        ErrorCode.TOO_LARGE,
                        "a message is too large; split it",
                        "bytes",
                        body.length(),
                        "max",
                        limits.messageBytes());
            }
        }
        if (bytes > limits.batchBytes()) {
            throw new InvalidRequestException(
                    ErrorCode.TOO_LARGE, "a batch is too large; split it", "bytes", bytes, "max", limits.batchBytes());
        }
    }

    /** A batch that is not empty, and has no more entries than {@code limits} allow. */
    public static void checkBatch(QueueLimits limits, int entries) {
        if (entries < 1 || entries > limits.batchEntries()) {
            throw new InvalidRequestException(
                    "a batch is empty or has too many entries; split it",
                    "entries",
                    entries,
                    "max",
                    limits.batchEntries());
        }
    }

    /** The arguments of a receive. */
    public static void checkReceive(QueueLimits limits, int max, Duration visibility, Duration wait) {
        if (max < 1 || max > limits.batchEntries()) {
            throw new InvalidRequestException(
                    "a receive must ask for 1 message up to the limit; correct the number",
                    "max",
                    max,
                    "limit",
                    limits.batchEntries());
        }
        checkVisibility(visibility);
        if (wait.isNegative() || wait.compareTo(WAIT_MAX) > 0) {
            throw new InvalidRequestException("a receive must wait 0 to 20 s; choose another time", "wait", wait);
        }
    }

    /** A visibility time-out of 0 s to 12 h. */
    public static void checkVisibility(Duration visibility) {
        if (visibility.isNegative() || visibility.compareTo(VISIBILITY_MAX) > 0) {
            throw new InvalidRequestException(
                    "a visibility time-out must be 0 s to 12 h; choose another", "visibility", visibility);
        }
    }
}
