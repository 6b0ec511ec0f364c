package io.penstock.commit.checkpoint;

import java.time.Duration;

/**
 * Bounds of one checkpoint.
 *
 * @param lease how long others are kept away, and messages hidden
 * @param batchBytes how many bytes of messages are applied at a time
 * @param batchEntries how many messages one call may bring
 * @param pollWait how long a receive waits for a first message: a poll that does not wait asks only some servers
 * @param holeAfter how long a record may be missing before its dead client is not waited for
 * @param heldBackMax how long a record may wait for an earlier one of its client that is missing, whoever lives
 * @param recordLife the oldest stamp that is applied; what is older goes into quarantine, so that tombstones may be
 *     purged a little later
 * @param readLag how far the object store's reads may lag behind its writes
 */
public record CheckpointSettings(
        Duration lease,
        int batchBytes,
        int batchEntries,
        Duration pollWait,
        Duration holeAfter,
        Duration heldBackMax,
        Duration recordLife,
        Duration readLag) {}
