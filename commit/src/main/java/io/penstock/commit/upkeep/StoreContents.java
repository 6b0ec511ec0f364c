package io.penstock.commit.upkeep;

import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.checkpoint.LogCheckpoints;
import io.penstock.commit.client.ClientContext;
import io.penstock.commit.client.ServerClock;
import io.penstock.commit.engine.Checkpoints;
import io.penstock.commit.engine.ServerPath;
import io.penstock.commit.engine.StoreTrees;
import io.penstock.commit.queue.DeadLetterStore;

/**
 * The contents of a store as maintenance walks over them. Safe for use by many threads.
 *
 * @param lane through which objects are listed
 * @param parked log records that damaged pages keep from being applied
 * @param quarantined messages that must not be applied
 * @param logs of its domains
 */
public record StoreContents(
        StoreTrees trees,
        ServerPath lane,
        ServerClock serverClock,
        LedgerStore ledgers,
        DeadLetterStore parked,
        DeadLetterStore quarantined,
        LogCheckpoints logs) {
    public static StoreContents of(
            StoreTrees trees, ServerPath lane, ClientContext membership, Checkpoints checkpoints) {
        return new StoreContents(
                trees,
                lane,
                membership.serverClock(),
                checkpoints.ledgers(),
                checkpoints.parked(),
                checkpoints.quarantine(),
                checkpoints.logs());
    }
}
