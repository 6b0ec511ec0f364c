package io.penstock.commit.upkeep;

import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.checkpoint.LogCheckpoints;
import io.penstock.commit.client.Membership;
import io.penstock.commit.client.ServerClock;
import io.penstock.commit.engine.Checkpoints;
import io.penstock.commit.engine.Lane;
import io.penstock.commit.engine.OverflowObjects;
import io.penstock.commit.engine.StoreTrees;
import io.penstock.commit.queue.KeptObjects;
import java.util.List;

/**
 * The contents of a store as maintenance walks over them. Safe for use by many threads.
 *
 * @param lane through which objects are listed
 * @param named the kinds of objects that leaves name besides records
 * @param parked log records that damaged pages keep from being applied
 * @param quarantined messages that must not be applied
 * @param logs of its domains
 */
public record StoreContents(
        StoreTrees trees,
        Lane lane,
        ServerClock serverClock,
        LedgerStore ledgers,
        List<OverflowObjects> named,
        KeptObjects parked,
        KeptObjects quarantined,
        LogCheckpoints logs) {
    public static StoreContents of(StoreTrees trees, Lane lane, Membership membership, Checkpoints checkpoints) {
        return new StoreContents(
                trees,
                lane,
                membership.serverClock(),
                checkpoints.ledgers(),
                List.of(new OverflowObjects(lane.overflows())),
                checkpoints.parked().objects(),
                checkpoints.quarantine().objects(),
                checkpoints.logs());
    }
}
