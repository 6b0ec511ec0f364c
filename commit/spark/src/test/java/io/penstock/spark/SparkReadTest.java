package io.penstock.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.ConsistencyLevel;
import io.penstock.Entry;
import io.penstock.Json;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.core.Durability;
import io.penstock.core.StoreException;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Query;
import io.penstock.query.QueryPlan;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Spark reads of a store in a directory, against plain Java. */
@Tag("slow")
class SparkReadTest {
    private static final int ORDERS = 400;
    private static final int LINES = 4;

    @TempDir
    static Path directory;

    private static Penstock store;
    private static List<Entry<Keys.Pair<Long, Long>, OrderLine>> all;

    @BeforeAll
    static void fill() {
        store = Penstock.open(Settings.local(directory, Durability.OS_CACHE)
                .level(ConsistencyLevel.SERIALIZABLE)
                .pageBytes(4 << 10)
                .checkpointing(false));
        RecordCollection<Keys.Pair<Long, Long>, OrderLine> lines = OrderLine.indexed(store, OrderLine.NAME);
        SplittableRandom random = new SplittableRandom(36);
        store.transact(transaction -> {
            for (long order = 0; order < ORDERS; order++) {
                for (long line = 0; line < LINES; line++) {
                    transaction.put(lines, new Keys.Pair<>(order, line), OrderLine.random(random));
                }
            }
            return true;
        });
        store.admin().checkpoint();
        store.transact(transaction -> {
            transaction.put(lines, new Keys.Pair<>(3L, 0L), OrderLine.random(random)); // in the log alone
            transaction.delete(lines, new Keys.Pair<>(3L, 1L));
            return true;
        });
        all = new ArrayList<>();
        lines.scan(KeySpan.all()).forEachRemaining(all::add);
    }

    @AfterAll
    static void close() {
        OpenStores.closeAll();
        store.close();
    }

    private static Map<String, String> options(String... more) {
        Map<String, String> options = new HashMap<>(Map.of(
                "directory", directory.toString(),
                "collection", OrderLine.NAME,
                "declaredBy", OrderLine.Indexed.class.getName()));
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return options;
    }

    private static Dataset<Row> lines() {
        return Spark.read(options());
    }

    private static List<String> keys(List<Entry<Keys.Pair<Long, Long>, OrderLine>> of) {
        return of.stream()
                .map(one -> one.key().first() + "/" + one.key().second())
                .sorted()
                .toList();
    }

    private static List<String> keys(Dataset<Row> of) {
        return of.select("orderId", "line").collectAsList().stream()
                .map(row -> row.getLong(0) + "/" + row.getLong(1))
                .sorted()
                .toList();
    }

    private static List<Entry<Keys.Pair<Long, Long>, OrderLine>> where(Predicate<OrderLine> wanted) {
        return all.stream().filter(one -> wanted.test(one.value())).toList();
    }

    @Test
    void rowsHaveTheValuesOfRecordsOfAllTypes() {
        Map<String, OrderLine> expected = all.stream()
                .collect(Collectors.toMap(
                        one -> one.key().first() + "/" + one.key().second(), Entry::value));
        List<Row> rows = lines().collectAsList();
        assertThat(rows).hasSize(all.size());
        for (Row row : rows) {
            OrderLine line =
                    Objects.requireNonNull(expected.remove(row.<Long>getAs("orderId") + "/" + row.<Long>getAs("line")));
            assertThat(row.<Long>getAs("item")).isEqualTo(line.item());
            assertThat(row.<Integer>getAs("quantity")).isEqualTo(line.quantity());
            assertThat(row.<Double>getAs("discount")).isEqualTo(line.discount());
            assertThat(plain(row.getAs("price"))).isEqualTo(plain(line.price()));
            assertThat(row.<String>getAs("comment")).isEqualTo(line.comment());
            assertThat(row.<Boolean>getAs("gift")).isEqualTo(line.gift());
            Date due = row.getAs("due");
            assertThat(due == null ? null : due.toLocalDate()).isEqualTo(line.due());
            Timestamp changed = row.getAs("changed");
            assertThat(changed == null ? null : changed.toInstant())
                    .isEqualTo(line.changed() == null ? null : line.changed().truncatedTo(ChronoUnit.MICROS));
        }
        assertThat(expected).isEmpty();
    }

    private static @Nullable BigDecimal plain(@Nullable BigDecimal value) {
        return value == null ? null : value.stripTrailingZeros();
    }

    /** Predicates that are pushed find what the same ones find in Spark, behind a barrier. */
    @Test
    void filtersFindWhatSparkFinds() {
        Dataset<Row> inSpark = Spark.session().createDataFrame(lines().collectAsList(), lines().schema());
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 60; round++) {
            Column filter = random(random, 2);
            Dataset<Row> pushed = lines().filter(filter);
            assertThat(keys(pushed)).as("%s", filter).isEqualTo(keys(inSpark.filter(filter)));
            assertThat(Spark.plan(pushed)).as("%s", filter).doesNotContain("Filter (");
        }
    }

    private static Column random(SplittableRandom random, int depth) {
        int kind = random.nextInt(depth == 0 ? 1 : 4);
        return switch (kind) {
            case 1 -> random(random, depth - 1).and(random(random, depth - 1));
            case 2 -> random(random, depth - 1).or(random(random, depth - 1));
            case 3 -> not(random(random, depth - 1));
            default -> simple(random);
        };
    }

    private static Column simple(SplittableRandom random) {
        OrderLine line = all.get(random.nextInt(all.size())).value();
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("item", line.item());
        values.put("quantity", line.quantity());
        values.put("discount", line.discount());
        values.put("price", line.price());
        values.put("comment", line.comment());
        values.put("due", line.due());
        values.put("changed", line.changed());
        values.put("orderId", random.nextLong(ORDERS));
        List<String> names = values.keySet().stream().sorted().toList();
        String name = names.get(random.nextInt(names.size()));
        Object value = values.get(name);
        if (value == null) {
            return random.nextBoolean() ? col(name).isNull() : col(name).isNotNull();
        }
        return switch (random.nextInt(8)) {
            case 0 -> col(name).equalTo(lit(value));
            case 1 -> col(name).notEqual(lit(value));
            case 2 -> col(name).lt(lit(value));
            case 3 -> col(name).leq(lit(value));
            case 4 -> lit(value).lt(col(name));
            case 5 -> col(name).geq(lit(value));
            case 6 -> col(name).eqNullSafe(lit(value));
            default -> col(name).isin(value, value);
        };
    }

    @Test
    void filtersAgainstPlainJava() {
        assertThat(keys(lines().filter("quantity > 100 and item in (3, 4)")))
                .isEqualTo(keys(where(line -> line.quantity() > 100 && (line.item() == 3 || line.item() == 4))));
        assertThat(keys(lines().filter("comment like 'ab%'")))
                .isEqualTo(keys(
                        where(line -> line.comment() != null && line.comment().startsWith("ab"))));
        assertThat(keys(lines().filter("gift"))).isEqualTo(keys(where(line -> Boolean.TRUE.equals(line.gift()))));
        // Spark's to evaluate, on what is left of the pushed ones.
        Dataset<Row> mixed = lines().filter("orderId < 100 and length(comment) = 2");
        assertThat(mixed.count())
                .isEqualTo(all.stream()
                        .filter(one -> one.key().first() < 100)
                        .filter(one -> one.value().comment() != null
                                && one.value().comment().codePoints().count() == 2)
                        .count());
        assertThat(Spark.plan(mixed)).contains("Filter (", "orderId < 100");
    }

    @Test
    void limitsAndFirstRowsInTheOrderOfKeys() {
        assertThat(lines().limit(7).collectAsList()).hasSize(7);
        assertThat(Spark.plan(lines().limit(7))).contains("limit=7");
        Dataset<Row> first =
                lines().filter("quantity > 100").orderBy("orderId", "line").limit(9);
        List<String> expected = where(line -> line.quantity() > 100).stream()
                .limit(9)
                .map(one -> one.key().first() + "/" + one.key().second())
                .toList();
        assertThat(first.select("orderId", "line").collectAsList().stream()
                        .map(row -> row.getLong(0) + "/" + row.getLong(1)))
                .containsExactlyElementsOf(expected);
        assertThat(Spark.plan(first)).contains("limit=9");
        Dataset<Row> greatest = lines().orderBy(col("quantity").desc()).limit(3);
        assertThat(Spark.plan(greatest)).doesNotContain("limit=3 ");
        assertThat(greatest.select("quantity").collectAsList().stream().map(row -> row.getInt(0)))
                .containsExactlyElementsOf(all.stream()
                        .map(one -> one.value().quantity())
                        .sorted((one, other) -> other - one)
                        .limit(3)
                        .toList());
    }

    /** An index has an order of its own. */
    @Test
    void firstRowsInTheOrderOfKeysWhereAnIndexAnswers() {
        RecordCollection<Keys.Pair<Long, Long>, OrderLine> lines = OrderLine.indexed(store, OrderLine.NAME);
        Field<Integer> quantity = lines.fields().get("quantity", OrderLine.class, FieldType.INT);
        assertThat(lines.plan(Query.where(quantity.between(100, 104))).access()).isEqualTo(QueryPlan.Access.INDEX);
        Dataset<Row> first = lines().filter("quantity between 100 and 104")
                .orderBy("orderId", "line")
                .limit(3);
        assertThat(first.select("orderId", "line").collectAsList().stream()
                        .map(row -> row.getLong(0) + "/" + row.getLong(1)))
                .containsExactlyElementsOf(where(line -> line.quantity() >= 100 && line.quantity() <= 104).stream()
                        .limit(3)
                        .map(one -> one.key().first() + "/" + one.key().second())
                        .toList());
    }

    @Test
    void aggregatesAndGroupsArePushed() {
        assertThat(lines().count()).isEqualTo(all.size());
        Dataset<Row> groups = lines().filter("quantity > 50")
                .groupBy("item")
                .agg(sum("quantity"), count(lit(1)), count("comment"), min("price"), max("comment"));
        assertThat(Spark.plan(groups)).contains("Aggregates");
        Map<Long, String> expected = new TreeMap<>();
        where(line -> line.quantity() > 50).stream()
                .map(Entry::value)
                .collect(Collectors.groupingBy(OrderLine::item))
                .forEach((item, of) -> expected.put(
                        item,
                        of.stream().mapToLong(OrderLine::quantity).sum() + " "
                                + of.size() + " "
                                + of.stream()
                                        .filter(line -> line.comment() != null)
                                        .count() + " "
                                + of.stream()
                                        .map(OrderLine::price)
                                        .filter(Objects::nonNull)
                                        .min(BigDecimal::compareTo)
                                        .orElseThrow()
                                        .stripTrailingZeros()
                                        .toPlainString()));
        Map<Long, String> found = new TreeMap<>();
        groups.collectAsList()
                .forEach(row -> found.put(
                        row.getLong(0),
                        row.getLong(1) + " " + row.getLong(2) + " "
                                + row.getLong(3) + " "
                                + row.getDecimal(4).stripTrailingZeros().toPlainString()));
        assertThat(found).isEqualTo(expected);
        assertThat(lines().filter("item = 99")
                        .agg(count(lit(1)), max("quantity"))
                        .collectAsList())
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.getLong(0)).isZero();
                    assertThat(row.isNullAt(1)).isTrue();
                });
        Dataset<Row> byDiscount = lines().groupBy("discount").count();
        assertThat(byDiscount.collectAsList()).hasSize(6); // null, -1.5, 0.0 with -0.0, 0.25, infinity, NaN
    }

    private record Sample(long amount, int count, String text) {}

    /** A collection of few records, as it is pushed and as Spark has it. */
    private static List<Dataset<Row>> samples(String name, Sample... samples) {
        RecordCollection<Long, Sample> records = store.collection(name, Keys.longs(), Json.of(Sample.class));
        for (int i = 0; i < samples.length; i++) {
            records.put((long) i, samples[i]);
        }
        Dataset<Row> read = Spark.read(
                options("collection", name, "declaredBy", "", "fields", "amount long, count int, text string"));
        return List.of(read, Spark.session().createDataFrame(read.collectAsList(), read.schema()));
    }

    @Test
    void sumsThatAreTooGreatAreSparksToAnswer() {
        Sample great = new Sample(Long.MAX_VALUE / 2, Integer.MAX_VALUE, "");
        List<Dataset<Row>> samples = samples("sums", great, great, great);
        for (String function : List.of("try_sum(amount)", "avg(amount)", "sum(count)", "avg(count)")) {
            List<List<Row>> found = samples.stream()
                    .map(of -> of.selectExpr(function).collectAsList())
                    .toList();
            assertThat(found.getFirst()).as(function).isEqualTo(found.getLast());
        }
        assertThat(Spark.plan(samples.getFirst().selectExpr("avg(count)"))).contains("Aggregates");
        assertThatThrownBy(() -> samples.getFirst().selectExpr("sum(amount)").collectAsList())
                .hasMessageContaining("ARITHMETIC_OVERFLOW");
    }

    @Test
    void bytesThatAreNoTextAreEqualToNone() {
        for (Dataset<Row> samples : samples("texts", new Sample(0, 0, "\ufffd"))) {
            assertThat(samples.filter("text = cast(x'ff' as string)").count()).isZero();
            assertThat(samples.filter("startswith(text, cast(x'ff' as string))").count())
                    .isZero();
            assertThat(samples.filter("text = '\ufffd'").count()).isOne();
        }
    }

    @Test
    void aStoredCollectionNeedsNoProgram() {
        Map<String, String> options = options("fields", "item long, quantity int");
        options.remove("declaredBy");
        Dataset<Row> stored = Spark.read(options);
        assertThat(stored.columns()).containsExactly("key1", "key2", "item", "quantity", "payload");
        assertThat(stored.filter("key1 = 5 and quantity > 0").count()).isEqualTo(LINES);
    }

    @Test
    void oneStateForSeveralReads() {
        RecordCollection<Keys.Pair<Long, Long>, OrderLine> lines = OrderLine.indexed(store, OrderLine.NAME);
        Dataset<Row> before = Spark.read(options("position", lines.position()));
        Keys.Pair<Long, Long> key = new Keys.Pair<>(9L, 0L);
        OrderLine was = lines.get(key).orElseThrow();
        lines.delete(key);
        assertThat(before.count()).isEqualTo(all.size());
        assertThat(lines().count()).isEqualTo(all.size() - 1);
        lines.put(key, was);
        assertThat(lines().count()).isEqualTo(all.size());
    }

    @Test
    void oneStateGoesToParquet(@TempDir Path target) {
        String file = target.resolve("lines.parquet").toString();
        lines().write().parquet(file);
        Dataset<Row> written = Spark.session().read().parquet(file);
        assertThat(written.exceptAll(lines()).count()).isZero();
        assertThat(lines().exceptAll(written).count()).isZero();
    }

    @Test
    void badInputIsOneClearError() {
        Map<String, String> failures = new TreeMap<>();
        failures.put("no collection is named", fails(options("collection", "")));
        failures.put("no such collection", fails(options("collection", "none", "declaredBy", "", "fields", "a int")));
        failures.put("without declared fields", fails(options("declaredBy", OrderLine.Undeclared.class.getName())));
        failures.put("no such class declares", fails(options("declaredBy", "com.example.None")));
        failures.put("declared twice", fails(options("fields", "item int")));
        failures.put("two places", fails(options("bucket", "b")));
        failures.put("no setting of this name", fails(options("colection", "b")));
        failures.put("no such type", fails(options("declaredBy", "", "fields", "item number")));
        failures.put("whole number", fails(options("splits", "many")));
        failures.forEach((words, message) -> assertThat(message).contains(words));
        assertThat(fails(options("position", "AAAA"))).contains("position cannot be used");
        assertThatThrownBy(() -> lines().filter("colour = 1")).hasMessageContaining("colour");
        // A number that Spark is told to be text.
        assertThat(fails(options("declaredBy", "", "fields", "quantity string")))
                .contains("field=quantity");
    }

    private static String fails(Map<String, String> options) {
        try {
            var unused = Spark.read(options).collectAsList();
        } catch (Exception failure) {
            Throwable cause = failure;
            while (cause != null && !(cause instanceof StoreException)) {
                cause = cause.getCause();
            }
            return String.valueOf((cause == null ? failure : cause).getMessage());
        }
        throw new AssertionError("it was taken: " + options);
    }

    @Test
    void aStateThatPagesHaveLostIsAnError() {
        String name = "lost";
        RecordCollection<Keys.Pair<Long, Long>, OrderLine> lines = OrderLine.indexed(store, name);
        Keys.Pair<Long, Long> key = new Keys.Pair<>(1L, 1L);
        lines.put(key, all.getFirst().value());
        Map<String, String> options = options("collection", name, "position", lines.position());
        assertThat(Spark.read(options).count()).isOne();
        lines.put(key, all.get(1).value());
        store.admin().checkpoint();
        assertThat(fails(options)).contains("take a new position");
        options.remove("position");
        assertThat(Spark.read(options).count()).isOne();
    }
}
