package io.penstock.bench.experiment.kills;

import io.penstock.Entry;
import io.penstock.Json;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Keys.Pair;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Transaction;
import io.penstock.bench.tpcw.bookstore.Draws;
import java.util.HashMap;
import java.util.Map;

/**
 * Accounts whose balances are moved about and never made or lost, and a record of each transfer, put by the same
 * transaction.
 *
 * @param accounts balances, by account from 0
 * @param transfers by writer and number
 */
record Bank(RecordCollection<Long, Long> accounts, RecordCollection<Pair<Long, Long>, Bank.Transfer> transfers) {
    /** Few, so that writers conflict all the time. */
    private static final int ACCOUNTS = 16;

    private static final long OPENING = 1_000;

    /** What moves from one account to another. Balances may become negative. */
    record Transfer(long from, long to, long amount) {
        static Transfer draw(long seed, Writing writing) {
            Draws draws = Draws.of(seed, "transfers of writer " + writing.writer(), writing.number());
            long from = draws.between(0L, ACCOUNTS - 1L);
            long to = (from + draws.between(1L, ACCOUNTS - 1L)) % ACCOUNTS;
            return new Transfer(from, to, draws.between(1L, 100L));
        }
    }

    static Bank open(Penstock store) {
        return new Bank(
                store.collection("accounts", Keys.longs(), Json.of(Long.class)),
                store.collection("transfers", Keys.pair(Keys.longs(), Keys.longs()), Json.of(Transfer.class)));
    }

    static void make(Penstock store) {
        Bank bank = open(store);
        store.transact(tx -> {
            for (long account = 0; account < ACCOUNTS; account++) {
                tx.put(bank.accounts, account, OPENING);
            }
            return true;
        });
    }

    void transfer(Transaction tx, Writing writing, Transfer transfer) {
        add(tx, transfer.from, -transfer.amount);
        add(tx, transfer.to, transfer.amount);
        tx.put(transfers, writing.key(), transfer);
    }

    private void add(Transaction tx, long account, long amount) {
        tx.put(accounts, account, tx.get(accounts, account).orElseThrow() + amount);
    }

    /** What is wrong with the sum of all balances, in words; empty when nothing is. */
    String wrongSum(Transaction tx) {
        long sum = balances(tx).values().stream().mapToLong(balance -> balance).sum();
        return sum == ACCOUNTS * OPENING ? "" : "the sum is " + sum + " instead of " + ACCOUNTS * OPENING;
    }

    Map<Long, Long> balances(Transaction tx) {
        Map<Long, Long> found = new HashMap<>();
        try (Scan<Entry<Long, Long>> scan = tx.scan(accounts, KeySpan.all())) {
            scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
        }
        return found;
    }

    Map<Writing, Transfer> made(Transaction tx) {
        Map<Writing, Transfer> found = new HashMap<>();
        try (Scan<Entry<Pair<Long, Long>, Transfer>> scan = tx.scan(transfers, KeySpan.all())) {
            scan.forEachRemaining(entry -> found.put(Writing.of(entry.key()), entry.value()));
        }
        return found;
    }

    /** The balances after these transfers. */
    static Map<Long, Long> expected(Iterable<Transfer> made) {
        Map<Long, Long> balances = new HashMap<>();
        for (long account = 0; account < ACCOUNTS; account++) {
            balances.put(account, OPENING);
        }
        made.forEach(transfer -> {
            balances.merge(transfer.from, -transfer.amount, Long::sum);
            balances.merge(transfer.to, transfer.amount, Long::sum);
        });
        return balances;
    }
}
