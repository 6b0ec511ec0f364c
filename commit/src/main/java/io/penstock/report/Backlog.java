package io.penstock.report;

/**
 * The messages that are committed and not yet applied, as the queues count them: approximate while clients write.
 *
 * @param pendingMessages messages in all PU queues of the store
 * @param atomicMessages messages in all ATOMIC queues of the store
 */
public record Backlog(long pendingMessages, long atomicMessages) {
    /** All of them. */
    public long total() {
        return pendingMessages + atomicMessages;
    }
}
