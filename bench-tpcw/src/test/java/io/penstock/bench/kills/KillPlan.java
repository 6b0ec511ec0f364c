package io.penstock.bench.kills;

import io.penstock.Keys.Pair;
import io.penstock.Transaction;
import io.penstock.bench.tpcw.bookstore.Draws;
import java.time.Duration;
import java.util.Optional;

/**
 * The records of one transaction: a function of the seed and its name, so that they are known even if its writer was
 * killed.
 *
 * @param shared the key of its record among those that all writers share
 * @param group of its records
 * @param parts how many records it puts into {@code large}; most transactions none
 * @param transfer the money that it moves; empty: the store is no bank
 * @param strikeAfter the time after which its writer is interrupted; empty: it is not
 */
record KillPlan(
        Writing writing,
        long shared,
        long group,
        int parts,
        Optional<Transfer> transfer,
        Optional<Duration> strikeAfter) {
    /** Few, so that writers overwrite each other all the time. */
    static final int SHARED = 8;

    private static final int GROUPS = 20;

    /** 90 to 130 records of 14,000 bytes are 1.2 to 1.8 MiB: two messages, or three. */
    private static final int PARTS_MIN = 90;

    private static final int PARTS_MAX = 130;
    private static final int PART_CHARS = 14_000;

    private static final int TEXT_CHARS = 80;

    private static final long AMOUNT_MAX = 100;

    /**
     * The source of transactions.
     *
     * @param largeEvery one transaction of so many is a large one
     * @param bank whether each moves money, which needs isolation; then none is large, so that they are many
     */
    record Source(long seed, int largeEvery, boolean bank) {}

    /** Money that moves from one account to another. Balances may become negative. */
    record Transfer(long from, long to, long amount) {}

    /** One transaction of so many is interrupted, if it takes long enough. */
    private static final int STRIKE_EVERY = 3;

    private static final Duration STRIKE_MAX = Duration.ofMillis(100);

    static KillPlan draw(Source source, Writing writing) {
        Draws draws = Draws.of(source.seed, "transactions of writer " + writing.writer(), writing.number());
        long shared = draws.between(0L, SHARED - 1L);
        long group = draws.between(0L, GROUPS - 1L);
        boolean large = draws.between(1, source.largeEvery) == 1 && !source.bank;
        int parts = large ? draws.between(PARTS_MIN, PARTS_MAX) : 0;
        return new KillPlan(writing, shared, group, parts, transfer(source, writing), strike(source, writing));
    }

    private static Optional<Transfer> transfer(Source source, Writing writing) {
        if (!source.bank) {
            return Optional.empty();
        }
        Draws draws = Draws.of(source.seed, "transfers of writer " + writing.writer(), writing.number());
        long from = draws.between(0L, KillStore.ACCOUNTS - 1L);
        long to = (from + draws.between(1L, KillStore.ACCOUNTS - 1L)) % KillStore.ACCOUNTS;
        return Optional.of(new Transfer(from, to, draws.between(1L, AMOUNT_MAX)));
    }

    private static Optional<Duration> strike(Source source, Writing writing) {
        Draws draws = Draws.of(source.seed, "strikes on writer " + writing.writer(), writing.number());
        boolean any = draws.between(1, STRIKE_EVERY) == 1;
        return any ? Optional.of(Duration.ofMillis(draws.between(0L, STRIKE_MAX.toMillis()))) : Optional.empty();
    }

    void put(Transaction tx, KillStore store) {
        Note note = note("n".repeat(TEXT_CHARS));
        tx.put(store.left(), writing.key(), note);
        tx.put(store.right(), writing.key(), note);
        tx.put(store.sharedLeft(), shared, note);
        tx.put(store.sharedRight(), shared, note);
        Note part = note("p".repeat(PART_CHARS));
        for (long i = 0; i < parts; i++) {
            tx.put(store.large(), new Pair<>(writing.key(), i), part);
        }
        transfer.ifPresent(money -> {
            add(tx, store, money.from, -money.amount);
            add(tx, store, money.to, money.amount);
        });
    }

    private static void add(Transaction tx, KillStore store, long account, long amount) {
        tx.put(store.accounts(), account, tx.get(store.accounts(), account).orElseThrow() + amount);
    }

    Note note(String text) {
        return new Note(writing.writer(), writing.number(), group, text);
    }
}
