package io.penstock.commit.protocol;

/**
 * How log records are packed and sent.
 *
 * @param itemsPerMessage how many log records one message may carry, besides the limit of its bytes
 * @param parallelCalls how many queues one commit sends to at a time
 */
public record SendPolicy(int itemsPerMessage, int parallelCalls) {
    /** The paper's: one message for each log record, one call after the other. */
    public static final SendPolicy PAPER = new SendPolicy(1, 1);

    /** Ours: as few messages as possible, all queues at once. */
    public static final SendPolicy GROUPED = new SendPolicy(Integer.MAX_VALUE, 16);
}
