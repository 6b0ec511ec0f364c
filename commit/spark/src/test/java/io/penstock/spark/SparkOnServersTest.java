package io.penstock.spark;

import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Rows;
import io.penstock.Settings;
import io.penstock.Transaction;
import io.penstock.core.ErrorCode;
import io.penstock.core.StoreException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Task;
import io.penstock.core.task.ThreadTasks;
import io.penstock.query.Query;
import io.penstock.testing.AwsServers;
import io.penstock.testing.RealServers;
import io.penstock.testing.RealServers.Endpoint;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Spark beside a writer, on a real server. */
@Tag("servers")
class SparkOnServersTest {
    private static final String BUCKET = "penstock-tests"; // of AwsServers
    private static final int ORDERS = 600;
    private static final int LINES = 5;
    private static final int ROUNDS = 4;

    @AfterEach
    void close() {
        OpenStores.closeAll();
    }

    /** Sums and numbers of lines by item. */
    private static Map<Long, String> inSpark(Map<String, String> options) {
        Map<Long, String> found = new TreeMap<>();
        Dataset<Row> groups = Spark.read(options).groupBy("item").agg(sum("quantity"), count(lit(1)));
        groups.collectAsList().forEach(row -> found.put(row.getLong(0), row.getLong(1) + "/" + row.getLong(2)));
        return found;
    }

    private static Map<Long, String> here(Penstock store, String position) {
        Map<Long, long[]> sums = new TreeMap<>();
        try (Transaction state = store.at(position, Duration.ZERO);
                Rows rows = state.query(OrderLine.lines(store, OrderLine.NAME), Query.all())) {
            while (rows.hasNext()) {
                io.penstock.query.Row row = rows.next();
                long[] sum = sums.computeIfAbsent((Long) row.at(0), item -> new long[2]);
                sum[0] += (Integer) row.at(1);
                sum[1]++;
            }
        }
        Map<Long, String> found = new TreeMap<>();
        sums.forEach((item, sum) -> found.put(item, sum[0] + "/" + sum[1]));
        return found;
    }

    @Test
    void sumsAreThoseOfOneStateWhateverIsWrittenBeside() {
        Endpoint endpoint = RealServers.localstack();
        System.setProperty("aws.accessKeyId", endpoint.accessKey());
        System.setProperty("aws.secretAccessKey", endpoint.secretKey());
        String prefix = "spark-" + Long.toHexString(System.nanoTime());
        ThreadTasks tasks = new ThreadTasks();
        try (ObjectStore objects = AwsServers.objectsAt(endpoint, Duration.ofSeconds(10));
                Penstock store = Penstock.open(Settings.on(objects, tasks)
                        .prefix(prefix)
                        .pageBytes(8 << 10)
                        .checkpointInterval(Duration.ofMillis(200)))) {
            long total = fill(store);
            AtomicBoolean over = new AtomicBoolean();
            AtomicLong written = new AtomicLong();
            Task<Boolean> writer = tasks.start("writer", () -> write(store, over, written));
            Map<String, String> options = new TreeMap<>(Map.of(
                    "bucket",
                    BUCKET,
                    "endpointS3",
                    endpoint.s3().toString(),
                    "region",
                    Endpoint.REGION,
                    "pathStyle",
                    "true",
                    "prefix",
                    prefix,
                    "collection",
                    OrderLine.NAME,
                    "declaredBy",
                    OrderLine.Declared.class.getName()));
            for (int round = 0; round < ROUNDS; round++) {
                long before = written.get();
                Row all = whileItIsThere(
                        () -> Spark.read(options).agg(sum("quantity")).first());
                assertThat(all.getLong(0)).isEqualTo(total);
                Map<Long, String> sums = whileItIsThere(() -> {
                    Map<String, String> same = new TreeMap<>(options);
                    same.put("position", OrderLine.lines(store, OrderLine.NAME).position());
                    Map<Long, String> found = inSpark(same);
                    assertThat(found).isEqualTo(here(store, same.get("position")));
                    return found;
                });
                assertThat(sums).hasSize(10);
                assertThat(written.get()).as("the writer goes on").isGreaterThan(before);
            }
            over.set(true);
            writer.join();
        }
    }

    /**
     * Runs a query that takes a position. Checkpoints here are so frequent that they may pass it before they are asked
     * to wait, or while they need not: then the query is told so, and runs again at another one.
     */
    private static <T> T whileItIsThere(Supplier<T> query) {
        while (true) {
            try {
                return query.get();
            } catch (Exception failure) {
                if (Stream.iterate((Throwable) failure, Objects::nonNull, Throwable::getCause)
                        .noneMatch(cause ->
                                cause instanceof StoreException told && told.code() == ErrorCode.POSITION_TOO_OLD)) {
                    throw failure;
                }
            }
        }
    }

    /** Returns the sum of all quantities. */
    private static long fill(Penstock store) {
        RecordCollection<Keys.Pair<Long, Long>, OrderLine> lines = OrderLine.lines(store, OrderLine.NAME);
        SplittableRandom random = new SplittableRandom(36);
        long total = store.transact(transaction -> {
            long sum = 0;
            for (long order = 0; order < ORDERS; order++) {
                for (long line = 0; line < LINES; line++) {
                    OrderLine next = OrderLine.random(random);
                    transaction.put(lines, new Keys.Pair<>(order, line), next);
                    sum += next.quantity();
                }
            }
            return sum;
        });
        store.admin().checkpoint();
        return total;
    }

    /** Moves quantities between lines, which come and go: the sum of all stays. */
    private static boolean write(Penstock store, AtomicBoolean over, AtomicLong written) {
        RecordCollection<Keys.Pair<Long, Long>, OrderLine> lines = OrderLine.lines(store, OrderLine.NAME);
        SplittableRandom random = new SplittableRandom(37);
        while (!over.get()) {
            store.transact(transaction -> {
                Keys.Pair<Long, Long> from = new Keys.Pair<>(random.nextLong(ORDERS), random.nextLong(LINES));
                Keys.Pair<Long, Long> to = new Keys.Pair<>(random.nextLong(ORDERS), LINES + random.nextLong(2));
                int moved =
                        transaction.get(lines, from).map(OrderLine::quantity).orElse(0);
                int there = transaction.get(lines, to).map(OrderLine::quantity).orElse(0);
                transaction.delete(lines, from);
                transaction.put(lines, to, OrderLine.random(random).with(moved + there));
                return true;
            });
            written.incrementAndGet();
        }
        return true;
    }
}
