package io.penstock.commit.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The options of an isolated transaction's reads.
 *
 * @param staleness of the state that the first read sees, at most
 * @param pinned whether the state is kept until the transaction ends
 * @param validated whether nothing that was read may have changed until the commit; otherwise nothing that is written
 * @param held whether checkpoints are asked to wait for it, since it was begun too often
 * @param begunNanos when the first try of a repeated transaction began; null: of one that is tried once
 */
public record Reading(
        Duration staleness,
        boolean pinned,
        boolean validated,
        boolean held,
        @Nullable Long begunNanos) {
    /** Whatever this client knows already, however old. */
    private static final Duration ANY = Duration.ofDays(36_500);

    /** The reads of a transaction whose caller sees to the rest. */
    public static final Reading OF_TRANSACTION = new Reading(Duration.ZERO, true, true, false, null);

    /** The reads of a transaction that is run again when they turn out to be of an old state. */
    public static Reading repeated(long begunNanos) {
        return new Reading(ANY, true, true, false, begunNanos);
    }

    /** The reads of a transaction that writes nothing. */
    public static Reading only(Duration staleness, boolean held) {
        return new Reading(staleness, true, false, held, null);
    }

    /** One read outside of transactions, in however many steps. */
    public static Reading each(Duration staleness) {
        return new Reading(staleness, false, false, false, null);
    }

    /** Returns these options, validated or not. Reads that are not validated must be fresh from the start. */
    public Reading validated(boolean value) {
        return value == validated
                ? this
                : new Reading(staleness == ANY ? Duration.ZERO : staleness, pinned, value, held, begunNanos);
    }
}
