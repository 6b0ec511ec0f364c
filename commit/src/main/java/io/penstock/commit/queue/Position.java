package io.penstock.commit.queue;

import io.penstock.core.ClientId;

/**
 * The place of a transaction's log records in a PU queue: among those that {@code client} sent there in order, the ones
 * numbered from {@code first} to {@code last}. Records of other transactions may lie between.
 */
public record Position(PuQueueId queue, ClientId client, long first, long last) {
    /** The place of log records that have no order. */
    public static Position unordered(PuQueueId queue, ClientId client) {
        return new Position(queue, client, 0, 0);
    }

    /** Whether a ledger will show when they are applied. */
    public boolean isOrdered() {
        return last > 0;
    }
}
