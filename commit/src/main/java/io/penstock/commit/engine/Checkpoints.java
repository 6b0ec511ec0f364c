package io.penstock.commit.engine;

import io.penstock.commit.checkpoint.CheckpointLoop;
import io.penstock.commit.checkpoint.Checkpointer;
import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.checkpoint.LogCheckpoints;
import io.penstock.commit.checkpoint.ParkedRecords;
import io.penstock.commit.checkpoint.PendingAge;
import io.penstock.commit.checkpoint.Reapplication;
import io.penstock.commit.queue.Quarantine;

/**
 * The checkpoints of one client. Safe for use by many threads.
 *
 * @param checkpointer applies one queue now
 * @param loop applies in the background the queues that this client writes to
 * @param logs applies the commit logs of domains
 * @param age of what waits to be applied
 */
public record Checkpoints(
        Checkpointer checkpointer,
        CheckpointLoop loop,
        LedgerStore ledgers,
        Quarantine quarantine,
        ParkedRecords parked,
        Reapplication reapplication,
        LogCheckpoints logs,
        PendingAge age) {}
