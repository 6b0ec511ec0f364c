package io.penstock.report;

import java.time.Duration;
import java.util.Optional;

/**
 * The commits that are not yet applied, as queues and commit logs count them: approximate while clients write.
 *
 * @param pendingMessages messages in all PU queues of the store
 * @param atomicMessages messages in all ATOMIC queues of the store
 * @param logSegments segments of commit logs, each with some transactions of its domain
 * @param oldest the age of the oldest commit that this handle knows not to be applied: it committed it, or met it in a
 *     checkpoint or recovery. Empty when it knows of none. Queues report their number of messages and not their age
 *     (SQS shows it in CloudWatch alone), so there may be older ones of others
 */
public record Backlog(long pendingMessages, long atomicMessages, long logSegments, Optional<Duration> oldest) {
    /** All of them. */
    public long total() {
        return pendingMessages + atomicMessages + logSegments;
    }
}
