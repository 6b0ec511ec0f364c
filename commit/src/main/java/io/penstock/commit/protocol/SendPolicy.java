package io.penstock.commit.protocol;

/**
 * A policy of packing and sending log records.
 *
 * @param itemsPerMessage the most log records in one message; the limit of its bytes holds besides
 * @param parallelCalls the number of queues that one commit sends to at a time
 * @param ownCommitRecord whether the commit record is a separate message even if one message could hold everything
 */
public record SendPolicy(int itemsPerMessage, int parallelCalls, boolean ownCommitRecord) {
    /** The policy of the paper: one message for each log record, one call after the other, then a commit record. */
    public static final SendPolicy PAPER = new SendPolicy(1, 1, true);

    /** The policy of this library: as few messages as possible, to all queues in parallel. */
    public static final SendPolicy GROUPED = new SendPolicy(Integer.MAX_VALUE, 16, false);
}
