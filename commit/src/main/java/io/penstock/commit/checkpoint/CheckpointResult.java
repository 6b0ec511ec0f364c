package io.penstock.commit.checkpoint;

/**
 * What the checkpoint of one PU queue did.
 *
 * @param leased whether the lease was free; if not, another client is at work and nothing was done
 * @param messages messages applied and deleted
 * @param records log records applied
 * @param pages pages written, the ledger not counted
 * @param heldBack messages left in the queue for an earlier one that is missing
 * @param quarantined messages put into quarantine
 */
public record CheckpointResult(
        boolean leased, long messages, long records, long pages, long heldBack, long quarantined) {
    static final CheckpointResult BUSY = new CheckpointResult(false, 0, 0, 0, 0, 0);
    static final CheckpointResult NOTHING = new CheckpointResult(true, 0, 0, 0, 0, 0);

    CheckpointResult plus(CheckpointResult other) {
        return new CheckpointResult(
                leased,
                messages + other.messages,
                records + other.records,
                pages + other.pages,
                heldBack + other.heldBack,
                quarantined + other.quarantined);
    }
}
