package io.penstock.commit.checkpoint;

import io.penstock.core.memory.ByteBudget;
import java.time.Duration;

/**
 * The bounds of one checkpoint.
 *
 * @param lease the time for which other clients are kept away and received messages stay hidden
 * @param batchBytes the bytes of messages that are applied at a time
 * @param batchEntries the most messages that one call may return
 * @param pollWait the time that a receive waits for a first message: a poll that does not wait asks only some servers
 * @param holeAfter the time after which a missing record of a dead client is not waited for
 * @param heldBackMax the longest time that a record waits for an earlier one of its client, even if the client is alive
 * @param recordLife the greatest age of a stamp that is applied. Older records go into quarantine, so that tombstones
 *     may be purged a little later
 * @param ledgerLife the time after the last message of a dead client was applied for which its ledger entry is kept
 * @param aheadMax the most by which a stamp may be ahead of the time at which its message was sent. Later ones go into
 *     quarantine: they would win for that long
 * @param memory counts the messages that all checkpoints of the client have in hand
 */
public record CheckpointSettings(
        Duration lease,
        int batchBytes,
        int batchEntries,
        Duration pollWait,
        Duration holeAfter,
        Duration heldBackMax,
        Duration recordLife,
        Duration ledgerLife,
        Duration aheadMax,
        ByteBudget memory) {}
