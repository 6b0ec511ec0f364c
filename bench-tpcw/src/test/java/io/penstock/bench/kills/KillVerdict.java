package io.penstock.bench.kills;

import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys.Pair;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Transaction;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares what a store holds, at rest or in one isolated state, with the journals of its writers: every transaction
 * whole or not at all, and whole if it was acknowledged; and the balances of a bank with its transfers. For one thread.
 */
final class KillVerdict {
    private final KillPlan.Source source;
    private final Map<Long, Journal.Content> journals;
    private final List<String> violations = new ArrayList<>();
    private long begun;
    private long acknowledged;
    private long large;
    private long unacknowledgedWhole;
    private long toldNothing;
    private long interrupted;

    /** @param journals by writer */
    KillVerdict(KillPlan.Source source, Map<Long, Journal.Content> journals) {
        this.source = source;
        this.journals = journals;
    }

    /** The records in the store. */
    private record Found(
            Map<Writing, Note> left,
            Map<Writing, Note> right,
            Map<Writing, Note> indexed,
            Map<Writing, Integer> large,
            Map<Long, Note> sharedLeft,
            Map<Long, Note> sharedRight) {
        /** Whether there is anything of a transaction. */
        boolean has(KillPlan plan) {
            return isThere(plan, left)
                    || isThere(plan, right)
                    || isThere(plan, indexed)
                    || large.containsKey(plan.writing());
        }
    }

    /**
     * The verdict on all transactions.
     *
     * @param large acknowledged ones of several messages
     * @param unacknowledgedWhole transactions that are in the store, though their writer got no acknowledgement
     * @param toldNothing those whose writers were told that nothing was committed
     * @param interrupted those whose writers were interrupted meanwhile
     * @param violations one line each
     */
    record Result(
            long begun,
            long acknowledged,
            long large,
            long unacknowledgedWhole,
            long toldNothing,
            long interrupted,
            List<String> violations) {}

    /** @param tx reads one state, where the level isolates */
    Result judge(Transaction tx, KillStore store) {
        Found found = new Found(
                byWriting(tx, store.left()),
                byWriting(tx, store.right()),
                byIndex(tx, store),
                parts(tx, store),
                rows(tx, store.sharedLeft()),
                rows(tx, store.sharedRight()));
        journals.forEach((writer, journal) -> judgeWriter(writer, journal, found));
        judgeStrangers(found);
        for (long key = 0; key < KillPlan.SHARED; key++) {
            judgeShared(key, found);
        }
        if (source.bank()) {
            judgeMoney(store.balances(tx), found.left.keySet());
        }
        return new Result(
                begun, acknowledged, large, unacknowledgedWhole, toldNothing, interrupted, List.copyOf(violations));
    }

    private void judgeWriter(long writer, Journal.Content journal, Found found) {
        for (long number : journal.begun()) {
            begun++;
            KillPlan plan = KillPlan.draw(source, new Writing(writer, number));
            boolean told = journal.acknowledged().containsKey(number);
            acknowledged += told ? 1 : 0;
            large += told && plan.parts() > 0 ? 1 : 0;
            judge(plan, told, found);
            if (journal.nothing().contains(number) && found.has(plan)) {
                violations.add("told that nothing was committed, and there: " + name(plan.writing()));
            }
        }
        toldNothing += journal.nothing().size();
        interrupted += journal.struck().size();
    }

    private void judge(KillPlan plan, boolean told, Found found) {
        Writing writing = plan.writing();
        boolean left = isThere(plan, found.left);
        boolean right = isThere(plan, found.right);
        boolean indexed = isThere(plan, found.indexed);
        int parts = found.large.getOrDefault(writing, 0);
        boolean whole = left && right && indexed && parts == plan.parts();
        boolean nothing = !left && !right && !indexed && parts == 0;
        if (told && !whole || !whole && !nothing) {
            violations.add((told ? "acknowledged and not whole: " : "there in part: ") + name(writing) + " left=" + left
                    + " right=" + right + " index=" + indexed + " parts=" + parts + " of " + plan.parts());
        }
        unacknowledgedWhole += !told && whole ? 1 : 0;
    }

    private static boolean isThere(KillPlan plan, Map<Writing, Note> rows) {
        Note note = rows.get(plan.writing());
        return note != null && note.writing().equals(plan.writing()) && note.group() == plan.group();
    }

    /** Reports records of transactions that no writer began. */
    private void judgeStrangers(Found found) {
        Set<Writing> all = new HashSet<>(found.left.keySet());
        all.addAll(found.right.keySet());
        all.addAll(found.indexed.keySet());
        all.addAll(found.large.keySet());
        all.removeIf(this::isBegun);
        all.forEach(writing -> violations.add("no writer began it: " + name(writing)));
    }

    private boolean isBegun(Writing writing) {
        Journal.Content journal = journals.get(writing.writer());
        return journal != null && journal.begun().contains(writing.number());
    }

    /**
     * All log records of a transaction have one stamp, and the newest stamp wins: so both sides end with the same
     * transaction, and with none older than one that was acknowledged.
     */
    private void judgeShared(long key, Found found) {
        Note left = found.sharedLeft.get(key);
        Note right = found.sharedRight.get(key);
        Writing winner = left == null ? null : left.writing();
        Writing other = right == null ? null : right.writing();
        if (winner == null ? other != null : !winner.equals(other)) {
            violations.add("two sides of a shared record differ: key=" + key + " left=" + name(winner) + " right="
                    + name(other));
            return;
        }
        if (winner != null && !found.left.containsKey(winner)) {
            violations.add("only its shared record is there: key=" + key + " " + name(winner));
        }
        Stamp stamp = winner == null ? Stamp.ZERO : stampOf(winner);
        // The stamp of an unacknowledged winner is unknown.
        if (stamp != null) {
            journals.forEach((writer, journal) -> journal.acknowledged().forEach((number, newer) -> {
                Writing writing = new Writing(writer, number);
                if (newer.isAfter(stamp) && KillPlan.draw(source, writing).shared() == key) {
                    violations.add("an older one won: key=" + key + " won=" + name(winner) + " newer=" + name(writing));
                }
            }));
        }
    }

    /** Each transaction that is there moved its money once, and no other did. */
    private void judgeMoney(Map<Long, Long> balances, Set<Writing> made) {
        Map<Long, Long> expected = new HashMap<>();
        for (long account = 0; account < KillStore.ACCOUNTS; account++) {
            expected.put(account, KillStore.OPENING_BALANCE);
        }
        made.stream()
                .flatMap(writing -> KillPlan.draw(source, writing).transfer().stream())
                .forEach(money -> {
                    expected.merge(money.from(), -money.amount(), Long::sum);
                    expected.merge(money.to(), money.amount(), Long::sum);
                });
        if (!balances.equals(expected)) {
            violations.add(
                    "the balances are not those of the transfers: " + balances + " " + KillStore.wrongSum(balances));
        }
    }

    private @Nullable Stamp stampOf(Writing writing) {
        Journal.Content journal = journals.get(writing.writer());
        return journal == null ? null : journal.acknowledged().get(writing.number());
    }

    private static String name(@Nullable Writing writing) {
        return writing == null ? "none" : writing.writer() + "/" + writing.number();
    }

    private static Map<Writing, Note> byWriting(Transaction tx, RecordCollection<Pair<Long, Long>, Note> collection) {
        Map<Writing, Note> found = new HashMap<>();
        rows(tx, collection).forEach((key, note) -> found.put(Writing.of(key), note));
        return found;
    }

    private Map<Writing, Note> byIndex(Transaction tx, KillStore store) {
        Map<Writing, Note> found = new HashMap<>();
        try (Scan<Entry<Pair<Long, Long>, Note>> scan = tx.scan(store.byGroup(), KeySpan.all())) {
            scan.forEachRemaining(entry -> {
                if (found.put(Writing.of(entry.key()), entry.value()) != null) {
                    violations.add("twice in the index: " + name(Writing.of(entry.key())));
                }
            });
        }
        return found;
    }

    private static Map<Writing, Integer> parts(Transaction tx, KillStore store) {
        Map<Writing, Integer> counts = new HashMap<>();
        try (Scan<Entry<Pair<Pair<Long, Long>, Long>, Note>> scan = tx.scan(store.large(), KeySpan.all())) {
            scan.forEachRemaining(entry -> counts.merge(Writing.of(entry.key().first()), 1, Integer::sum));
        }
        return counts;
    }

    private static <K> Map<K, Note> rows(Transaction tx, RecordCollection<K, Note> collection) {
        Map<K, Note> rows = new HashMap<>();
        try (Scan<Entry<K, Note>> scan = tx.scan(collection, KeySpan.all())) {
            scan.forEachRemaining(entry -> rows.put(entry.key(), entry.value()));
        }
        return rows;
    }
}
