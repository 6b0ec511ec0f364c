package io.penstock.commit.engine;

import io.penstock.commit.domain.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The options of an isolated transaction's reads.
 *
 * @param staleness of the state that the first read sees, at most
 * @param pinned whether the state is kept until the transaction ends
 * @param validated whether nothing that was read may have changed until the commit; otherwise nothing that is written
 * @param held the time for which checkpoints are asked to wait for it, as when it was begun too often; zero: not
 * @param at the one state that may be read; null: the newest
 * @param begunNanos when the first try of a repeated transaction began; null: of one that is tried once
 */
public record ReadOptions(
        Duration staleness,
        boolean pinned,
        boolean validated,
        Duration held,
        @Nullable Moment at,
        @Nullable Long begunNanos) {
    /** The time for which checkpoints are asked to wait for a transaction that was begun too often. */
    private static final Duration HOLD = Duration.ofSeconds(30);

    /** The staleness of reads that take what this client knows already, however old. */
    private static final Duration ANY = Duration.ofDays(36_500);

    /** The reads of a transaction whose caller sees to the rest. */
    public static final ReadOptions OF_TRANSACTION =
            new ReadOptions(Duration.ZERO, true, true, Duration.ZERO, null, null);

    /** The reads of a transaction that is run again when they turn out to be of an old state. */
    public static ReadOptions repeated(long begunNanos) {
        return new ReadOptions(ANY, true, true, Duration.ZERO, null, begunNanos);
    }

    /** The reads of a transaction that writes nothing. */
    public static ReadOptions only(Duration staleness, boolean held) {
        return new ReadOptions(staleness, true, false, held ? HOLD : Duration.ZERO, null, null);
    }

    /** One read outside of transactions, in however many steps. */
    public static ReadOptions each(Duration staleness) {
        return new ReadOptions(staleness, false, false, Duration.ZERO, null, null);
    }

    /** The reads of one state, for which checkpoints are asked to wait. */
    public static ReadOptions at(Moment state, Duration held) {
        return new ReadOptions(Duration.ZERO, true, false, held, state, null);
    }

    /** Returns these options, validated or not. Reads that are not validated must be fresh from the start. */
    public ReadOptions validated(boolean value) {
        return value == validated
                ? this
                : new ReadOptions(staleness == ANY ? Duration.ZERO : staleness, pinned, value, held, at, begunNanos);
    }
}
