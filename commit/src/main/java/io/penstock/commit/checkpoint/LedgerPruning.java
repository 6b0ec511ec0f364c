package io.penstock.commit.checkpoint;

import io.penstock.commit.client.ClientContext;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.ClientId;
import io.penstock.core.StoreException;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The removal of ledger entries of clients that are gone for longer than any message of theirs can live. The clients
 * that are gone are looked up once for many entries, and seldom. Safe for use by many threads.
 */
final class LedgerPruning {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerPruning.class);

    /** The time after which idle entries of living clients are checked again. */
    private static final Duration ASK_AGAIN = Duration.ofHours(1);

    /**
     * The inverse of the fraction of removable entries at which the ledger is rewritten: one entry in eight. Its cost
     * is then shared by the entries added since.
     */
    private static final int WORTHWHILE_PART = 8;

    /** The number of entries removed at a time. */
    private static final int ENTRIES_MAX = 4096;

    private final Timekeeper time;
    private final ClientContext membership;
    private final LedgerStore ledgers;
    private final Duration ledgerLife;
    private final Map<PuQueueId, Long> askedNanos = new ConcurrentHashMap<>();

    LedgerPruning(Timekeeper time, ClientContext membership, LedgerStore ledgers, Duration ledgerLife) {
        this.time = time;
        this.membership = membership;
        this.ledgers = ledgers;
        this.ledgerLife = ledgerLife;
    }

    /** Prunes the ledger that is stored now. A failure leaves it as it is. */
    void prune(PuQueueId queue, LedgerStore.Stored stored) {
        long before = membership.serverClock().nowMillis() - ledgerLife.toMillis();
        List<ClientId> idle = stored.ledger().idleSince(before);
        if (idle.isEmpty() || idle.size() * WORTHWHILE_PART < stored.ledger().size() || !isDue(queue)) {
            return;
        }
        try {
            Set<ClientId> asked = new HashSet<>(idle.subList(0, Math.min(idle.size(), ENTRIES_MAX)));
            Set<ClientId> gone = membership.deadAmong(asked);
            if (!gone.isEmpty()) {
                ledgers.write(queue, stored, stored.ledger().without(gone));
            }
        } catch (StoreException failure) {
            LOG.debug("a ledger was not pruned queue={} why={}", queue, failure.getMessage());
        }
    }

    private boolean isDue(PuQueueId queue) {
        long now = time.nanoTime();
        Long last = askedNanos.get(queue);
        if (last != null && now - last < ASK_AGAIN.toNanos()) {
            return false;
        }
        askedNanos.put(queue, now);
        return true;
    }
}
