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
 * @param memory counts the messages that all checkpoints of the client have in hand
 */
public record CheckpointSettings(
        Duration lease,
        int batchBytes,
        int batchEntries,
        Duration pollWait,
        Duration holeAfter,
        Lifetimes lifetimes,
        ByteBudget memory) {}
