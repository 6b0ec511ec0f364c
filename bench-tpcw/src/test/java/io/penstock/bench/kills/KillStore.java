package io.penstock.bench.kills;

import io.penstock.ConsistencyLevel;
import io.penstock.Entry;
import io.penstock.Index;
import io.penstock.Json;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Keys.Pair;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Settings;
import io.penstock.Transaction;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The collections that writers write to, of one open store. Each transaction puts one record into both {@code left} and
 * {@code right}, one of a few that all writers share into both {@code sharedLeft} and {@code sharedRight}, and, if it
 * is a large one, many into {@code large}. Where it is a bank, each also moves money between two {@code accounts},
 * whose balances are never made or lost.
 *
 * @param byGroup of {@code left}
 * @param accounts balances, by account from 0
 */
record KillStore(
        RecordCollection<Pair<Long, Long>, Note> left,
        Index<Long, Pair<Long, Long>, Note> byGroup,
        RecordCollection<Pair<Long, Long>, Note> right,
        RecordCollection<Long, Note> sharedLeft,
        RecordCollection<Long, Note> sharedRight,
        RecordCollection<Pair<Pair<Long, Long>, Long>, Note> large,
        RecordCollection<Long, Long> accounts) {
    /** Few, so that writers conflict all the time. */
    static final int ACCOUNTS = 16;

    static final long OPENING_BALANCE = 1_000;

    /** Small, so that the trees split all the time. */
    private static final int PAGE_BYTES = 4 << 10;

    private static final int LARGE_PAGE_BYTES = 64 << 10;

    /** Longer than a writer that was killed takes to come back: it writes before anybody takes it for dead. */
    private static final Duration DEAD_AFTER = Duration.ofSeconds(15);

    /** Declares all collections; the first call creates them. */
    static KillStore open(Penstock store) {
        RecordCollection<Pair<Long, Long>, Note> left =
                store.collection("left", Keys.pair(Keys.longs(), Keys.longs()), notes());
        return new KillStore(
                left,
                left.index("by-group", Keys.longs(), Note::group),
                store.collection("right", Keys.pair(Keys.longs(), Keys.longs()), notes()),
                store.collection("shared-left", Keys.longs(), notes()),
                store.collection("shared-right", Keys.longs(), notes()),
                store.collection("large", Keys.pair(Keys.pair(Keys.longs(), Keys.longs()), Keys.longs()), notes()),
                store.collection("accounts", Keys.longs(), Json.of(Long.class)));
    }

    private static Json<Note> notes() {
        return Json.of(Note.class);
    }

    /** Creates all collections, with their page sizes and, of a bank, the accounts. */
    static void make(KillPlace place, Tasks tasks, boolean bank) {
        place.use(
                tasks,
                settings -> settings.pageBytes(LARGE_PAGE_BYTES),
                store -> open(store).large.get(new Pair<>(new Pair<>(0L, 0L), 0L)));
        place.use(tasks, settings -> settings, store -> {
            KillStore made = open(store);
            made.left.get(new Pair<>(0L, 0L));
            made.right.get(new Pair<>(0L, 0L));
            made.sharedLeft.get(0L);
            made.sharedRight.get(0L);
            if (bank) {
                made.openAccounts(store);
            }
        });
    }

    void openAccounts(Penstock store) {
        store.transact(tx -> {
            for (long account = 0; account < ACCOUNTS; account++) {
                tx.put(accounts, account, OPENING_BALANCE);
            }
            return true;
        });
    }

    Map<Long, Long> balances(Transaction tx) {
        Map<Long, Long> found = new HashMap<>();
        try (Scan<Entry<Long, Long>> scan = tx.scan(accounts, KeySpan.all())) {
            scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
        }
        return found;
    }

    /** The fault in the sum of all balances, in words; empty when there is none. */
    static String wrongSum(Map<Long, Long> balances) {
        long sum = balances.values().stream().mapToLong(balance -> balance).sum();
        return sum == ACCOUNTS * OPENING_BALANCE
                ? ""
                : "the sum is " + sum + " instead of " + ACCOUNTS * OPENING_BALANCE;
    }

    /** Everything that can be cut short happens often: forwarding, checkpoints, heartbeats, adoption of the dead. */
    static Settings tune(Settings settings, ConsistencyLevel level) {
        return settings.level(level)
                .pageBytes(PAGE_BYTES)
                .ttl(Duration.ofSeconds(2))
                .advanced(advanced -> advanced.forwardInterval(Duration.ofMillis(200)))
                .checkpointInterval(Duration.ofSeconds(1))
                .advanced(advanced -> advanced.heartbeatInterval(Duration.ofSeconds(1)))
                .deadAfter(DEAD_AFTER)
                .advanced(advanced -> advanced.lease(Duration.ofSeconds(10)));
    }
}
