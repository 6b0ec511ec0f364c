package io.penstock.bench.tpcw.bookstore;

import io.penstock.ConsistencyLevel;
import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Fills an empty bookstore through the store's front door, each table in key order.
 *
 * <p>In bulk, or with large NAIVE transactions: both put whole pages, each once, and leave no log records. What NAIVE
 * does not promise cannot go wrong here, since the loader is the only client of its store. At levels that isolate it
 * fills through their commit log. For one thread.
 */
public final class Loader {
    /** The number of rows in one transaction: some 20 pages of the longest rows, so that few pages are put twice. */
    private static final int ROWS_PER_TRANSACTION = 2_000;

    private final Penstock store;
    private final Bookstore bookstore;
    private final LongConsumer progress;

    /** @param progress receives the number of rows added each time */
    public Loader(Penstock store, Bookstore bookstore, LongConsumer progress) {
        this.store = store;
        this.bookstore = bookstore;
        this.progress = progress;
    }

    /** The level at which to open a store for filling it, where it will be used at another one. */
    public static ConsistencyLevel levelFor(ConsistencyLevel use) {
        return use.isolates() ? use : ConsistencyLevel.NAIVE;
    }

    /** Whether nothing is there yet. */
    public boolean isEmpty() {
        try (Scan<?> rows = bookstore.cardPayments().scan(KeySpan.all().limit(1))) {
            return !rows.hasNext();
        }
    }

    /** Loads by transactions at the store's level. */
    public void load(Population population) {
        load(population, false);
    }

    /** Loads in bulk, indexes too: less work, and pages that are filled evenly. */
    public void loadInBulk(Population population) {
        load(population, true);
    }

    private void load(Population population, boolean inBulk) {
        Scale scale = population.scale();
        fill(inBulk, bookstore.countries(), rows(Scale.COUNTRIES, population::country));
        fill(inBulk, bookstore.authors(), rows(scale.authors(), population::author));
        fill(inBulk, bookstore.items(), rows(scale.items(), population::item));
        fill(inBulk, bookstore.addresses(), rows(scale.addresses(), population::address));
        fill(inBulk, bookstore.customers(), rows(scale.customers(), population::customer));
        fill(inBulk, bookstore.orders(), rows(scale.orders(), population::order));
        fill(
                inBulk,
                bookstore.orderLines(),
                LongStream.rangeClosed(1, scale.orders())
                        .boxed()
                        .flatMap(order -> population.orderLines(order).stream()
                                .map(line -> new Entry<>(Bookstore.keyOf(line), line))));
        fill(inBulk, bookstore.cardPayments(), rows(scale.orders(), population::cardPayment));
    }

    private static <V> Stream<Entry<Long, V>> rows(long count, LongFunction<V> row) {
        return LongStream.rangeClosed(1, count).mapToObj(id -> new Entry<>(id, row.apply(id)));
    }

    private <K, V> void fill(boolean inBulk, RecordCollection<K, V> table, Stream<Entry<K, V>> rows) {
        if (inBulk && table.isLoadable()) { // one of a domain is not
            table.load(rows.peek(row -> progress.accept(1)).iterator(), read -> {});
        } else {
            put(store, table, rows, progress);
        }
    }

    /** Puts rows by transactions at the store's level, in their order. */
    public static <K, V> void put(
            Penstock store, RecordCollection<K, V> table, Stream<Entry<K, V>> rows, LongConsumer progress) {
        List<Entry<K, V>> batch = new ArrayList<>();
        rows.forEachOrdered(row -> {
            batch.add(row);
            if (batch.size() == ROWS_PER_TRANSACTION) {
                commit(store, table, batch, progress);
            }
        });
        if (!batch.isEmpty()) {
            commit(store, table, batch, progress);
        }
    }

    private static <K, V> void commit(
            Penstock store, RecordCollection<K, V> table, List<Entry<K, V>> batch, LongConsumer progress) {
        store.transact(tx -> {
            batch.forEach(row -> tx.put(table, row.key(), row.value()));
            return true;
        });
        progress.accept(batch.size());
        batch.clear();
    }
}
