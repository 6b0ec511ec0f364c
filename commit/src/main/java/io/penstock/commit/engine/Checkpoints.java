package io.penstock.commit.engine;

import io.penstock.commit.checkpoint.CheckpointLoop;
import io.penstock.commit.checkpoint.Checkpointer;
import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.checkpoint.LogCheckpoints;
import io.penstock.commit.checkpoint.PendingAge;
import io.penstock.commit.checkpoint.Replay;
import io.penstock.commit.queue.DeadLetterStore;

/**
 * The checkpoints of one client. Safe for use by many threads.
 *
 * @param checkpointer applies one queue now
 * @param loop applies in the background the queues that this client writes to
 * @param logs applies the commit logs of domains
 * @param quarantine the place for messages that must not be applied
 * @param parked the place for log records that damaged pages keep from being applied
 * @param age of what waits to be applied
 */
public record Checkpoints(
        Checkpointer checkpointer,
        CheckpointLoop loop,
        LedgerStore ledgers,
        DeadLetterStore quarantine,
        DeadLetterStore parked,
        Replay reapplication,
        LogCheckpoints logs,
        PendingAge age) {}
