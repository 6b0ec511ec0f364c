package io.penstock.commit.domain;

import io.penstock.core.Stamp;
import java.time.Duration;

/**
 * The last segment that a client knows.
 *
 * @param writeId its write id; 0 at position 0, before the first
 * @param stamp the newest up to it
 * @param freeMillis a time of the store's clock at which the next slot was certainly not filled yet, nor ever before
 */
record Tip(long position, long writeId, Stamp stamp, long freeMillis) {
    /** Before the first segment, of a log that nobody has asked for its time. */
    static final Tip NONE = new Tip(0, 0, Stamp.ZERO, Long.MIN_VALUE / 2);

    /**
     * Whether what happened to the next slot at a time of the store's clock was the first that ever did. A trimmed slot
     * is free again; but a segment stays for the retention, so that takes longer than this.
     */
    boolean isFirst(long atMillis, Duration retention) {
        return atMillis - freeMillis < retention.toMillis() / 2;
    }

    Tip free(long atMillis) {
        return new Tip(position, writeId, stamp, Math.max(freeMillis, atMillis));
    }

    Tip after(Segment segment, long modifiedMillis) {
        return new Tip(segment.number(), segment.writeId(), segment.stamp(stamp), modifiedMillis);
    }
}
