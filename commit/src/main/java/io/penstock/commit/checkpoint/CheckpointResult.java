package io.penstock.commit.checkpoint;

import java.util.OptionalLong;

/**
 * The result of the checkpoint of one PU queue.
 *
 * @param leased whether this client got the lease; if not, another client is at work and this one did nothing
 * @param messages the number of messages applied and deleted
 * @param records the number of log records applied
 * @param pages the number of pages written, without the ledger
 * @param left what is left in the queue
 * @param quarantined the number of messages put into quarantine
 * @param repeated the number of messages that were applied although the ledger covers them
 * @param parked the number of log records that a damaged page kept from being applied, stored apart
 * @param discarded the number of log records that were for collections or indexes that were dropped
 */
public record CheckpointResult(
        boolean leased,
        long messages,
        long records,
        long pages,
        Left left,
        long quarantined,
        long repeated,
        long parked,
        long discarded) {
    static final CheckpointResult BUSY = new CheckpointResult(false, 0, 0, 0, Left.NOTHING, 0, 0, 0, 0);
    static final CheckpointResult NOTHING = new CheckpointResult(true, 0, 0, 0, Left.NOTHING, 0, 0, 0, 0);

    /**
     * The messages that a checkpoint has left in the queue.
     *
     * @param reached whether a receive found nothing in the end, rather than that the lease ended before
     * @param emptied whether a receive that asks all servers found nothing more than what is held back
     * @param heldBack the number of messages that it has seen and left, most of them because an earlier one is missing
     * @param oldestMillis when the oldest message was sent of those that are left, in the servers' milliseconds since
     *     1970; an estimate, if the lease ended before all were seen
     */
    public record Left(boolean reached, boolean emptied, long heldBack, OptionalLong oldestMillis) {
        static final Left NOTHING = new Left(false, false, 0, OptionalLong.empty());
    }

    /** The number of messages left in the queue because an earlier one is missing. */
    public long heldBack() {
        return left.heldBack;
    }

    /** This result with what a later step of the same checkpoint has done and left. */
    CheckpointResult plus(CheckpointResult later) {
        return new CheckpointResult(
                leased,
                messages + later.messages,
                records + later.records,
                pages + later.pages,
                later.left,
                quarantined + later.quarantined,
                repeated + later.repeated,
                parked + later.parked,
                discarded + later.discarded);
    }
}
