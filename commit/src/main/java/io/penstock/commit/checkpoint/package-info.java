/**
 * From queues to pages: {@link io.penstock.commit.checkpoint.Checkpointer} applies one PU queue, {@link
 * io.penstock.commit.checkpoint.CheckpointPlan} decides what of it, {@link io.penstock.commit.checkpoint.Ledger} says
 * what was applied before.
 */
package io.penstock.commit.checkpoint;
