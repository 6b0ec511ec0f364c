package io.penstock.commit.checkpoint;

/**
 * The result of the checkpoint of one PU queue.
 *
 * @param leased whether this client got the lease; if not, another client is at work and this one did nothing
 * @param messages the number of messages applied and deleted
 * @param records the number of log records applied
 * @param pages the number of pages written, without the ledger
 * @param heldBack the number of messages left in the queue because an earlier one is missing
 * @param quarantined the number of messages put into quarantine
 * @param repeated the number of messages that were applied although the ledger covers them
 */
public record CheckpointResult(
        boolean leased, long messages, long records, long pages, long heldBack, long quarantined, long repeated) {
    static final CheckpointResult BUSY = new CheckpointResult(false, 0, 0, 0, 0, 0, 0);
    static final CheckpointResult NOTHING = new CheckpointResult(true, 0, 0, 0, 0, 0, 0);

    CheckpointResult plus(CheckpointResult other) {
        return new CheckpointResult(
                leased,
                messages + other.messages,
                records + other.records,
                pages + other.pages,
                heldBack + other.heldBack,
                quarantined + other.quarantined,
                repeated + other.repeated);
    }
}
