package io.penstock.commit.domain;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.time.Duration;

/**
 * The bounds of a domain.
 *
 * @param segmentBytes the most bytes of a segment, and so of a transaction
 * @param groupTransactions the most transactions of a segment
 * @param keep the time for which a segment stays in memory after this client has seen a horizon beyond it: the age at
 *     which a pooled page is checked again, and the longest lag of a read
 * @param tailBytes the most bytes of the tail above which commits wait for a checkpoint
 * @param retention the least time for which segments stay in the log, whichever client trims it: equal at all clients
 * @param hold the longest time for which checkpoints are held up for a reader
 * @param trimAge of the segments that this client trims, at least the retention
 * @param budget the time within which a commit, or a look at the log, ends
 */
public record Limits(
        int segmentBytes,
        int groupTransactions,
        Duration keep,
        long tailBytes,
        Duration retention,
        Duration hold,
        Duration trimAge,
        Duration budget) {
    /** The minimum retention: no client trims younger segments, so that none must know the settings of another. */
    public static final Duration RETENTION_MIN = Duration.ofHours(1);

    /** The longest time for which checkpoints are held up for a reader. */
    public static final Duration HOLD_MAX = Duration.ofMinutes(10);

    private static final int SEGMENT_BYTES = 4 << 20;

    /** The most bytes of the run of log records of a transaction. */
    public static final long RUN_BYTES_MAX = SEGMENT_BYTES - Segment.OVERHEAD_BYTES_MAX - Segment.TRANSACTION_BYTES_MAX;

    public Limits {
        if (retention.compareTo(RETENTION_MIN) < 0 || trimAge.compareTo(retention) < 0) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "segments of a commit log must stay for an hour at least; raise the retention",
                    "retention",
                    trimAge);
        }
    }

    /** The most bytes of the tail to which a client reads on. Others may be above their bound for a moment. */
    long readBytes() {
        return 2 * tailBytes;
    }

    /**
     * The defaults.
     *
     * @param keep the age at which pages are checked again
     * @param budget of one commit
     */
    public static Limits of(Duration keep, Duration trimAge, Duration budget) {
        return new Limits(SEGMENT_BYTES, 10_000, keep, 64 << 20, RETENTION_MIN, HOLD_MAX, trimAge, budget);
    }
}
