package io.penstock.report;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The outcome of a round of checkpoints.
 *
 * @param queues PU queues looked at
 * @param busy queues and commit logs that another client holds the lease of, so that nothing was done for them
 * @param messages messages, or segments of a commit log, applied
 * @param records log records applied
 * @param pages pages written
 * @param heldBack messages left in their queue for an earlier one that is still missing
 * @param quarantined messages that could not be decoded or were too old, now under the quarantine prefix
 * @param parked log records that damaged pages keep from being applied, now under the prefix of parked records
 * @param discarded log records of collections and indexes that were dropped
 * @param heldBackUntil when the messages that are held back are applied at the latest, by the next checkpoint; empty
 *     when there are none. {@link io.penstock.Admin#applyHeldBack} applies them at once
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
        long discarded,
        Optional<Instant> heldBackUntil) {
    public static final CheckpointReport NONE = new CheckpointReport(0, 0, 0, 0, 0, 0, 0, 0, 0, Optional.empty());

    /** The report of log records that were applied to pages. */
    public static CheckpointReport ofRecords(long records, long pages, long parked, long discarded) {
        return new CheckpointReport(0, 0, 0, records, pages, 0, 0, parked, discarded, Optional.empty());
    }

    /** Returns this report with the number of messages, or of segments of a commit log, that had the records. */
    public CheckpointReport ofMessages(long applied) {
        return new CheckpointReport(
                queues, busy, applied, records, pages, heldBack, quarantined, parked, discarded, heldBackUntil);
    }

    /** Returns this report as that of one PU queue, with the messages that were not applied. */
    public CheckpointReport ofQueue(long left, long refused, Optional<Instant> until) {
        return new CheckpointReport(1, busy, messages, records, pages, left, refused, parked, discarded, until);
    }

    /** Returns this report as that of a queue or commit log that another client is at work on. */
    public CheckpointReport ofBusy() {
        return new CheckpointReport(
                queues, 1, messages, records, pages, heldBack, quarantined, parked, discarded, heldBackUntil);
    }

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
                discarded + other.discarded,
                Stream.of(heldBackUntil, other.heldBackUntil)
                        .flatMap(Optional::stream)
                        .max(Comparator.naturalOrder()));
    }
}
