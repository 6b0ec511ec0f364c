package io.penstock.bench.tpcw.bookstore;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/**
 * Fills an empty bookstore through the store's front door, each table in key order.
 *
 * <p>With large NAIVE transactions: they put whole pages, each once, and leave no log records behind. What NAIVE does
 * not promise cannot go wrong here, since the loader is the only client of its store. For one thread.
 */
public final class Loader {
    /** Rows in one transaction: some 20 pages of the longest rows, so that few pages are put twice. */
    private static final int ROWS_PER_TRANSACTION = 2_000;

    private final Penstock store;
    private final Bookstore bookstore;
    private final LongConsumer progress;
    private final List<Put> batch = new ArrayList<>(ROWS_PER_TRANSACTION);

    /** @param progress told how many rows more are in */
    public Loader(Penstock store, Bookstore bookstore, LongConsumer progress) {
        this.store = store;
        this.bookstore = bookstore;
        this.progress = progress;
    }

    public void load(Population population) {
        Scale scale = population.scale();
        table(bookstore.countries(), Scale.COUNTRIES, population::country);
        table(bookstore.authors(), scale.authors(), population::author);
        table(bookstore.items(), scale.items(), population::item);
        table(bookstore.addresses(), scale.addresses(), population::address);
        table(bookstore.customers(), scale.customers(), population::customer);
        table(bookstore.orders(), scale.orders(), population::order);
        for (long order = 1; order <= scale.orders(); order++) {
            for (OrderLine line : population.orderLines(order)) {
                add(tx -> tx.put(bookstore.orderLines(), Bookstore.keyOf(line), line));
            }
        }
        commit();
        table(bookstore.cardPayments(), scale.orders(), population::cardPayment);
    }

    private <V> void table(RecordCollection<Long, V> rows, long count, LongFunction<V> row) {
        for (long id = 1; id <= count; id++) {
            long key = id;
            V value = row.apply(id);
            add(tx -> tx.put(rows, key, value));
        }
        commit();
    }

    private void add(Put put) {
        batch.add(put);
        if (batch.size() == ROWS_PER_TRANSACTION) {
            commit();
        }
    }

    private void commit() {
        if (batch.isEmpty()) {
            return;
        }
        store.transact(ConsistencyLevel.NAIVE, tx -> {
            batch.forEach(put -> put.in(tx));
            return true;
        });
        progress.accept(batch.size());
        batch.clear();
    }

    /** One row on its way. */
    @FunctionalInterface
    private interface Put {
        void in(Transaction transaction);
    }
}
