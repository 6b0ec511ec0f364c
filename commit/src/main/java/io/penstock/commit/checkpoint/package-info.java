/**
 * Checkpoints, which take log records from queues to pages. {@link io.penstock.commit.checkpoint.Checkpointer} applies
 * one PU queue, {@link io.penstock.commit.checkpoint.CheckpointPlan} decides what to apply, and {@link
 * io.penstock.commit.checkpoint.Ledger} records what was applied before.
 */
package io.penstock.commit.checkpoint;
