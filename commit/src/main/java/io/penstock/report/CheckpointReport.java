package io.penstock.report;

/**
 * The outcome of a round of checkpoints.
 *
 * @param queues PU queues looked at
 * @param busy queues that another client holds the lease of, so that nothing was done for them
 * @param messages messages applied and deleted
 * @param records log records applied
 * @param pages pages written
 * @param heldBack messages left in their queue for an earlier one that is still missing
 * @param quarantined messages that could not be decoded or were too old, now under the quarantine prefix
 * @param parked log records that damaged pages keep from being applied, now under the prefix of parked records
 * @param discarded log records of collections and indexes that were dropped
 */
public record CheckpointReport(
        int queues,
        int busy,
        long messages,
        long records,
        long pages,
        long heldBack,
        long quarantined,
        long parked,
        long discarded) {
    public static final CheckpointReport NONE = new CheckpointReport(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** The sum of two reports. */
    public CheckpointReport plus(CheckpointReport other) {
        return new CheckpointReport(
                queues + other.queues,
                busy + other.busy,
                messages + other.messages,
                records + other.records,
                pages + other.pages,
                heldBack + other.heldBack,
                quarantined + other.quarantined,
                parked + other.parked,
                discarded + other.discarded);
    }
}
