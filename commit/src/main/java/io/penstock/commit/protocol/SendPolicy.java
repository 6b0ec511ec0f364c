package io.penstock.commit.protocol;

/**
 * How log records are packed and sent.
 *
 * @param itemsPerMessage how many log records one message may carry, besides the limit of its bytes
 * @param parallelCalls how many queues one commit sends to at a time
 * @param ownCommitRecord whether the commit record is a message of its own also where one message could hold all
 */
public record SendPolicy(int itemsPerMessage, int parallelCalls, boolean ownCommitRecord) {
    /** The paper's: one message for each log record, one call after the other, then a commit record. */
    public static final SendPolicy PAPER = new SendPolicy(1, 1, true);

    /** Ours: as few messages as possible, all queues at once. */
    public static final SendPolicy GROUPED = new SendPolicy(Integer.MAX_VALUE, 16, false);
}
