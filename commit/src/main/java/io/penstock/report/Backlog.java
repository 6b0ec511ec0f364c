package io.penstock.report;

/**
 * What is committed and not yet applied, as the queues tell it: approximate while clients write.
 *
 * @param pendingMessages messages in all PU queues of the store
 * @param atomicMessages messages in all ATOMIC queues of the store
 */
public record Backlog(long pendingMessages, long atomicMessages) {
    public long total() {
        return pendingMessages + atomicMessages;
    }
}
