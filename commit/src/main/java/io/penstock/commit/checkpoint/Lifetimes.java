package io.penstock.commit.checkpoint;

import io.penstock.btree.TreeSettings;
import io.penstock.commit.client.ServerClock;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.QueueAttributes;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The ages on which the safety of checkpoints rests, derived from the settings in one place. Their order is checked:
 * <em>messages &lt; ledger entries &lt; records &lt; records being applied &lt; tombstones</em>.
 *
 * @param heldBackMax the longest time that a record waits for an earlier one of its client, even if the client is alive
 * @param record the greatest age of a stamp that is applied. Older records go into quarantine, so that tombstones may
 *     be purged a little later
 * @param ledgerEntry the time after the last message of a dead client was applied for which its ledger entry is kept
 * @param aheadMax the most by which a stamp may be ahead of the time at which its message was sent. Later ones go into
 *     quarantine: they would win for that long
 */
public record Lifetimes(Duration heldBackMax, Duration record, Duration ledgerEntry, Duration aheadMax) {
    /** The life of log records: below that of tombstones by more than any clock may be off. */
    private static final Duration RECORD = Duration.ofDays(29);

    /** The life of a dead client's ledger entries: no message of it lives longer, by more than any clock may be off. */
    private static final Duration LEDGER_ENTRY = QueueAttributes.RETENTION_MAX.plusDays(1);

    /** The time by which a record may be older when it is applied than when it was received. */
    private static final Duration TIMELY_MARGIN = Duration.ofHours(12);

    /** The least time after which order is given up for a missing record. */
    private static final Duration HELD_BACK_MIN = Duration.ofHours(1);

    /** The leases for which a missing record is awaited: what a failed checkpoint hides shows again several times. */
    private static final int HELD_BACK_LEASES = 10;

    /** The difference that the settings of clients may have: an hour of {@code clockSkewMax}. */
    private static final Duration AHEAD_MARGIN = Duration.ofHours(1);

    /** The life of all where no other client is: no message is older than what was deleted after it. */
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    static {
        requireOrder(
                QueueAttributes.RETENTION_MAX,
                LEDGER_ENTRY,
                RECORD,
                RECORD.plus(TIMELY_MARGIN),
                TreeSettings.DEFAULT.tombstoneLife());
    }

    private static void requireOrder(Duration... ages) {
        for (int i = 1; i < ages.length; i++) {
            if (ages[i - 1].compareTo(ages[i]) >= 0) {
                throw new IllegalStateException("lifetimes are not in their order: " + ages[i - 1] + " and " + ages[i]);
            }
        }
    }

    /**
     * @param lease of checkpoints
     * @param clockSkewMax the most by which the clocks of clients may be off
     * @param exclusive whether no other client can reach the servers of the store
     */
    public static Lifetimes of(Duration lease, Duration clockSkewMax, boolean exclusive) {
        Duration leases = lease.multipliedBy(HELD_BACK_LEASES);
        return new Lifetimes(
                leases.compareTo(HELD_BACK_MIN) < 0 ? HELD_BACK_MIN : leases,
                exclusive ? FOR_EVER : RECORD,
                exclusive ? FOR_EVER : LEDGER_ENTRY,
                // Alone on its servers a client only ever meets its own clock.
                exclusive ? FOR_EVER : clockSkewMax.plus(AHEAD_MARGIN));
    }

    /**
     * Returns a check, to be run whenever a page is replaced, that fails when records have become too old: a machine
     * may stand still for days, while the tombstones that would hide them are purged.
     *
     * @param regardless asked about records that are too old: whether nothing can have been deleted after them
     */
    Runnable timely(ServerClock clock, List<LogRecord> records, BooleanSupplier regardless) {
        long oldest = records.stream()
                .mapToLong(each -> each.change().stamp().millis())
                .min()
                .orElse(Long.MAX_VALUE);
        return () -> {
            clock.requireInStep(); // a machine that has slept may not know
            if (oldest < clock.nowMillis() - recordApplied().toMillis() && !regardless.getAsBoolean()) {
                throw new UnavailableException("log records became too old while they were applied; retry later");
            }
        };
    }

    /** The greatest age of a record at the moment when its page is put. */
    Duration recordApplied() {
        return record.plus(TIMELY_MARGIN);
    }
}
