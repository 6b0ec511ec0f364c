package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.btree.TreeSettings;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.WriteCondition;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import io.penstock.query.Query;
import io.penstock.query.QueryPlan;
import io.penstock.query.QueryPlan.Access;
import io.penstock.query.ValueField;
import io.penstock.report.SummaryReport;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Summaries of leaves spare reads, and never an answer. */
class SummariesTest {
    private static final int ORDERS = 600;

    /** Orders of which most are deleted, so that their leaves are merged. */
    private static final int MERGED = 150;

    record Order(long day, String status, String customer) {}

    private static final Fields FIELDS = Fields.ofClass(Order.class).and(Field.key("number", FieldType.LONG));
    private static final ValueField<Order, Long> DAY = FIELDS.get("day", Order.class, FieldType.LONG);
    private static final ValueField<Order, String> STATUS = FIELDS.get("status", Order.class, FieldType.STRING);
    private static final ValueField<Order, String> CUSTOMER = FIELDS.get("customer", Order.class, FieldType.STRING);

    private static RecordCollection<Long, Order> orders(Penstock store) {
        return store.collection("orders", Keys.longs(), Json.of(Order.class)).declare(FIELDS);
    }

    /** The day follows the key, the customer does not. */
    private static Order order(long number) {
        return new Order(number / 10, number % 100 == 7 ? "OPEN" : "SHIPPED", "c" + number * 7_919 % ORDERS);
    }

    record First(String payload, long key, float weight) {}

    record Next(String payload, long key, float weight, int rating) {}

    record Last(
            String payload,
            long key,
            float weight,
            @Nullable Integer rating) {}

    private static <V> RecordCollection<Long, V> books(Penstock store, Class<V> of) {
        return store.collection("books", Keys.longs(), Json.of(of)).declare(Fields.ofClass(of));
    }

    private static long count(RecordCollection<?, ?> records, Condition condition) {
        try (Rows rows = records.query(Query.where(condition).count())) {
            return rows.next().get(Query.COUNT);
        }
    }

    /** Fields of one name that read something else: of views of what is stored, and of the next version of a class. */
    @Test
    @SuppressWarnings("unchecked")
    void summariesOfAnotherMeaningTellNothing() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "one", ConsistencyLevel.SERIALIZABLE)) {
                for (long key = 0; key < ORDERS; key++) {
                    books(store, First.class).put(key, new First("p" + key, -key, 0.1f));
                }
                settle(cloud, store);
                assertThat(store.admin().summarize(books(store, Next.class)).leaves())
                        .isGreaterThan(10);
                RecordCollection<Long, Last> last = books(store, Last.class);
                assertThat(count(last, last.fields().get("rating").isNull())).isEqualTo(ORDERS);
                RecordCollection<Bytes, Bytes> raw = store.rawCollection("books");
                Fields stored = StoredFields.of(raw, List.of("books(weight double)"));
                raw.declare(stored);
                assertThat(count(raw, ((Field<String>) stored.get("payload")).startsWith("{")))
                        .isEqualTo(ORDERS);
                assertThat(count(raw, ((Field<Long>) stored.get("key")).ge(0L))).isEqualTo(ORDERS);
                assertThat(count(raw, ((Field<Double>) stored.get("weight")).eq(0.1)))
                        .isEqualTo(ORDERS);
            }
        });
    }

    private static Penstock open(SimulatedStore cloud, String machine, ConsistencyLevel level) {
        return Penstock.open(cloud.settings(machine).level(level).checkpointing(false));
    }

    /** A store with applied orders that are summarized. */
    private static void with(ConsistencyLevel level, Consumer<Two> test) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock one = open(cloud, "one", level)) {
                fill(one, 0, ORDERS);
                settle(cloud, one);
                SummaryReport report = one.admin().summarize(orders(one), CUSTOMER);
                assertThat(report.leaves()).isGreaterThan(20);
                assertThat(report.left()).isZero();
                try (Penstock other = open(cloud, "other", level)) {
                    test.accept(new Two(cloud, one, other));
                }
            }
        });
    }

    private static void fill(Penstock store, long from, long to) {
        for (long number = from; number < to; number += 100) {
            long first = number;
            store.transact(transaction -> {
                for (long each = first; each < first + 100; each++) {
                    transaction.put(orders(store), each, order(each));
                }
                return true;
            });
        }
    }

    /** Applies all that was committed, and lets the store forget what it has kept of it. */
    private static void settle(SimulatedStore cloud, Penstock store) {
        checkpoint(store);
        for (int i = 0; i < 2; i++) {
            cloud.sleep(Duration.ofMinutes(6));
            store.collection("ticks", Keys.longs(), Json.of(String.class)).put(1L, "tick");
            var unused = orders(store).get(-1L);
        }
    }

    private static void checkpoint(Penstock store) {
        store.flush();
        var unused = store.admin().checkpoint();
    }

    private record Two(SimulatedStore cloud, Penstock one, Penstock other) {}

    private static QueryPlan plan(Penstock store, Condition condition, Integer... numbers) {
        TreeSet<Long> found = new TreeSet<>();
        try (Rows rows = orders(store).query(Query.where(condition))) {
            rows.forEachRemaining(row -> found.add((Long) row.values().getLast()));
            assertThat(found)
                    .containsExactly(
                            List.of(numbers).stream().map(Integer::longValue).toArray(Long[]::new));
            return rows.plan();
        }
    }

    @ParameterizedTest
    @EnumSource(ConsistencyLevel.class)
    void whatCannotMatchIsNotRead(ConsistencyLevel level) {
        with(level, two -> {
            QueryPlan byDay = plan(two.other, DAY.eq(20L), 200, 201, 202, 203, 204, 205, 206, 207, 208, 209);
            assertThat(byDay.access()).isEqualTo(Access.SUMMARIES);
            assertThat(byDay.skipped()).isGreaterThan(20);
            // Versions that are listed before the log has been looked at may have to be listed again.
            assertThat(byDay.requests()).isLessThan(14);
            QueryPlan byCustomer = plan(two.other, CUSTOMER.eq("c" + 300L * 7_919 % ORDERS), 300);
            assertThat(byCustomer.access()).isEqualTo(Access.SUMMARIES);
            assertThat(byCustomer.leaves()).isLessThan(6);
        });
    }

    private static QueryPlan first(Penstock store, Query query, Long... numbers) {
        try (Rows rows = orders(store).query(query.select(FIELDS.get("number")))) {
            assertThat(rows.stream().map(row -> row.at(0))).containsExactly((Object[]) numbers);
            return rows.plan();
        }
    }

    private static QueryPlan count(Penstock store, Condition condition, long expected) {
        try (Rows rows = orders(store).query(Query.where(condition).count())) {
            assertThat(rows.next().get(Query.COUNT)).isEqualTo(expected);
            return rows.plan();
        }
    }

    @ParameterizedTest
    @EnumSource(ConsistencyLevel.class)
    void countsAndOrdersReadFewLeaves(ConsistencyLevel level) {
        with(level, two -> {
            QueryPlan all = count(two.other, Condition.all(), ORDERS);
            assertThat(all.access()).isEqualTo(Access.SUMMARIES);
            assertThat(all.leaves()).isLessThan(4);
            assertThat(all.requests()).isLessThan(12);
            assertThat(all.dollars()).isPositive();
            assertThat(all.seconds()).isPositive();
            assertThat(count(two.other, DAY.between(10L, 49L), 400).leaves()).isLessThan(8);
            Query latest = Query.where(STATUS.eq("OPEN")).orderByDescending(DAY).limit(2);
            QueryPlan plan = first(two.other, latest, 507L, 407L);
            assertThat(plan.access()).isEqualTo(Access.SUMMARIES);
            assertThat(plan.leaves()).isLessThan(24);
            orders(two.one).put(33L, new Order(99, "OPEN", "c"));
            settle(two.cloud, two.one);
            assertThat(first(two.other, latest, 33L, 507L).leaves()).isLessThan(24);
            assertThat(first(
                            two.other,
                            Query.where(DAY.gt(58L)).orderBy(CUSTOMER).limit(1),
                            33L))
                    .isNotNull();
        });
    }

    @Test
    void countsByAFieldReadOnlyLeavesOfSeveralValues() {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            orders(two.one).put(33L, new Order(99, "OPEN", "c"));
            settle(two.cloud, two.one);
            Map<String, Long> counts = new HashMap<>();
            Rows rows = orders(two.other).query(Query.all().countBy(STATUS));
            rows.forEachRemaining(row -> counts.put(row.get(STATUS), row.get(Query.COUNT)));
            assertThat(counts).isEqualTo(Map.of("OPEN", 7L, "SHIPPED", ORDERS - 7L));
            assertThat(rows.plan().access()).isEqualTo(Access.SUMMARIES);
            assertThat(rows.plan().skipped()).isGreaterThan(10);
        });
    }

    @Test
    void bloomFiltersTakeARateOfFalsePositives() {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            assertThatThrownBy(() -> two.one.admin().summarize(orders(two.one), 0.9, CUSTOMER))
                    .isInstanceOf(InvalidRequestException.class);
            Query query = Query.where(CUSTOMER.in(List.of("c" + 300L * 7_919 % ORDERS, "none", "c", "d9")));
            two.one.admin().summarize(orders(two.one), 0.5, CUSTOMER);
            two.cloud.sleep(Duration.ofMinutes(6));
            QueryPlan poor = first(two.other, query, 300L);
            two.one.admin().summarize(orders(two.one), 0.0001, CUSTOMER);
            two.cloud.sleep(Duration.ofMinutes(6));
            QueryPlan good = first(two.other, query, 300L);
            assertThat(good.leaves()).isLessThan(poor.leaves());
            two.one.admin().summarize(orders(two.one));
            two.cloud.sleep(Duration.ofMinutes(6));
            assertThat(first(two.other, query, 300L).leaves()).isEqualTo(good.leaves());
        });
    }

    @Test
    void recordsThatExpireAreNotCountedBySummaries() {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            orders(two.one).put(300L, order(300), Duration.ofHours(1));
            settle(two.cloud, two.one);
            assertThat(two.one.admin().summarize(orders(two.one)).read()).isPositive();
            assertThat(count(two.other, Condition.all(), ORDERS).skipped()).isGreaterThan(20);
            two.cloud.sleep(Duration.ofHours(2));
            settle(two.cloud, two.one);
            assertThat(count(two.other, Condition.all(), ORDERS - 1).skipped()).isGreaterThan(20);
        });
    }

    @Test
    void ordersNeedALimit() {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            assertThatThrownBy(() -> orders(two.one).query(Query.all().orderBy(DAY)))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("limit");
            assertThatThrownBy(() -> Query.all().limit(3).count()).isInstanceOf(InvalidRequestException.class);
        });
    }

    /** Adds orders, so that there are some hundred leaves, of which every second dozen has the days of a query. */
    private static Condition scattered(Two two) {
        fill(two.one, ORDERS, 10L * ORDERS);
        settle(two.cloud, two.one);
        assertThat(two.one.admin().summarize(orders(two.one)).left()).isZero();
        return DAY.in(
                LongStream.range(0, ORDERS).filter(day -> day % 20 < 18).boxed().toList());
    }

    private static double seconds(Two two, String machine, Condition condition, long expected) {
        try (Penstock store = open(two.cloud, machine, ConsistencyLevel.SERIALIZABLE)) {
            // The inner pages and the summaries are known.
            var unused = orders(store).query(Query.where(DAY.lt(0L))).toEnd().hasNext();
            long begun = two.cloud.simulation.nowNanos();
            try (Rows rows = orders(store).query(Query.where(condition))) {
                assertThat(rows.toEnd().stream().count()).isEqualTo(expected);
            }
            return (two.cloud.simulation.nowNanos() - begun) / 1e9;
        }
    }

    @Test
    void scatteredLeavesAreReadAsFastAsAll() {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            Condition scattered = scattered(two);
            double all = seconds(two, "all", Condition.all(), 10L * ORDERS);
            double some = seconds(two, "some", scattered, 9L * ORDERS);
            assertThat(orders(two.one).plan(Query.where(scattered)).access()).isEqualTo(Access.SUMMARIES);
            assertThat(some).isLessThan(1.3 * all);
        });
    }

    /** The requests of a query to the server: what is asked for, in the order in which they begin, and when. */
    private record Asked(String call, String on, long nanos) {}

    private static List<Asked> asked(Two two, Runnable query) {
        List<Asked> asked = new ArrayList<>();
        two.cloud.cloud.watch((step, client, call, on, outcome) -> {
            if (step == CallWatcher.Step.BEGINS && client.name().equals("other")) {
                asked.add(new Asked(call, on, two.cloud.simulation.nowNanos()));
            }
        });
        query.run();
        two.cloud.cloud.watch((step, client, call, on, outcome) -> {});
        return asked;
    }

    @Test
    void objectsWithSummariesAreReadAtATime() {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            List<Asked> asked = asked(
                    two, () -> assertThat(plan(two.other, DAY.eq(-1L)).access()).isEqualTo(Access.SUMMARIES));
            asked.removeIf(each -> !each.on.contains("/summaries/"));
            assertThat(asked)
                    .hasSize(4)
                    .allSatisfy(each -> assertThat(each.call).isEqualTo("get"));
            assertThat(asked.getLast().nanos - asked.getFirst().nanos).isLessThan(1_000_000);
        });
    }

    /** Wherever the change is by now: in the log or a queue, on pages. */
    @ParameterizedTest
    @EnumSource(ConsistencyLevel.class)
    void aLeafThatHasChangedIsRead(ConsistencyLevel level) {
        with(level, two -> {
            assertThat(plan(two.one, STATUS.eq("LOST")).leaves()).isLessThan(4);
            orders(two.one).put(333L, new Order(33, "LOST", "c1"));
            if (level != ConsistencyLevel.BASIC) { // there a program does not read what it has just written
                assertThat(plan(two.one, STATUS.eq("LOST"), 333).skipped()).isGreaterThan(20);
            }
            settle(two.cloud, two.one);
            assertThat(plan(two.one, STATUS.eq("LOST"), 333).skipped()).isGreaterThan(20);
            assertThat(plan(two.other, STATUS.eq("LOST"), 333).skipped()).isGreaterThan(20);
            assertThat(two.one.admin().summarize(orders(two.one)).read()).isPositive();
            assertThat(plan(two.other, STATUS.eq("LOST"), 333).skipped()).isGreaterThan(20);
        });
    }

    /** A leaf that waits for its neighbour to take it over keeps its version, and is no leaf any more. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void aLeafThatIsBeingMergedIsNotTakenForOne(int puts) {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            RecordCollection<Long, Order> orders = orders(two.one);
            for (long number = 0; number < MERGED; number++) {
                if (number % 25 != 0) {
                    orders.delete(number);
                }
            }
            settle(two.cloud, two.one);
            two.cloud.sleep(TreeSettings.DEFAULT.tombstoneLife());
            cutOff(two, puts);
            assertThatCode(() -> two.one.admin().compact())
                    .satisfiesAnyOf(
                            none -> assertThat(none).isNull(),
                            cut -> assertThat(cut).isInstanceOf(StoreException.class));
            two.cloud.cloud.watch((step, client, call, on, outcome) -> {});
            two.cloud.sleep(Duration.ofHours(1));
            assertThat(two.one.admin().summarize(orders).leaves()).isPositive();
            assertThat(two.one.admin().compact()).isNotNull();
            TreeSet<Integer> put = new TreeSet<>();
            for (int number = 3; number < MERGED; number += 10) {
                orders.put((long) number, new Order(1, "LOST", "c"));
                put.add(number);
            }
            settle(two.cloud, two.one);
            var unused = plan(two.other, STATUS.eq("LOST"), put.toArray(Integer[]::new));
        });
    }

    @Test
    void compactionRefreshesThem() {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            RecordCollection<Long, Order> orders = orders(two.one);
            for (long number = 0; number < MERGED; number++) {
                if (number % 25 != 0) {
                    orders.delete(number);
                }
            }
            settle(two.cloud, two.one);
            two.cloud.sleep(TreeSettings.DEFAULT.tombstoneLife());
            assertThat(two.one.admin().compact().joined()).isPositive();
            long left = ORDERS - MERGED + MERGED / 25;
            assertThat(count(two.other, Condition.all(), left).leaves()).isLessThan(4);
            // With the Bloom filters that there were.
            String customer = "c" + 25L * 7_919 % ORDERS;
            assertThat(plan(two.other, CUSTOMER.eq(customer), 25).leaves()).isLessThan(6);
        });
    }

    /** Cuts a client off after it has put some pages. */
    private static void cutOff(Two two, int puts) {
        AtomicInteger left = new AtomicInteger(puts);
        two.cloud.cloud.watch((step, client, call, on, outcome) -> {
            boolean put = step == CallWatcher.Step.DONE && call.equals("put") && on.contains("/pages/");
            if (put && left.decrementAndGet() == 0) {
                client.cutOff(Duration.ofMinutes(30));
            }
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = ConsistencyLevel.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "MONOTONIC", "ATOMIC", "SNAPSHOT"}) // they validate no reads
    void whatWasSkippedIsValidated(ConsistencyLevel level) {
        with(level, two -> {
            Transaction transaction = two.one.begin();
            RecordCollection<Long, Order> orders = orders(two.one);
            assertThat(transaction.find(orders, STATUS.eq("LOST")).hasNext()).isFalse();
            assertThat(orders(two.one).plan(Query.where(STATUS.eq("LOST"))).access())
                    .isEqualTo(Access.SUMMARIES);
            orders(two.other).put(450L, new Order(45, "LOST", "c1"));
            transaction.put(orders, 1L, order(2));
            assertThatThrownBy(transaction::commit).isInstanceOf(ConflictException.class);
        });
    }

    /** A state of before, with summaries of after. */
    @ParameterizedTest
    @EnumSource(
            value = ConsistencyLevel.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "MONOTONIC", "ATOMIC"}) // they have no state of before
    void anOldStateIsNotAnsweredByNewSummaries(ConsistencyLevel level) {
        with(level, two -> {
            Transaction transaction = two.other.begin();
            RecordCollection<Long, Order> orders = orders(two.other);
            assertThat(transaction.get(orders, 107L).orElseThrow().status()).isEqualTo("OPEN");
            orders(two.one).put(107L, order(108));
            checkpoint(two.one);
            var unused = two.one.admin().summarize(orders(two.one));
            try {
                assertThat(transaction
                                .find(orders, Condition.and(STATUS.eq("OPEN"), DAY.eq(10L)))
                                .next()
                                .key())
                        .isEqualTo(107L);
            } catch (ConflictException moved) {
                assertThat(moved).hasMessageContaining("orders");
            }
            transaction.close();
        });
    }

    @Test
    void whatIsDamagedForeignOrOfOtherFieldsIsIgnored() {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            List<String> keys = keys(two);
            assertThat(keys).isNotEmpty();
            Bytes good = two.cloud.objects().get(keys.getFirst()).orElseThrow().body();
            byte[] flipped = good.toArray();
            flipped[flipped.length / 2] ^= 1;
            byte[] other = good.toArray();
            other[2] = 2;
            for (Bytes bad : List.of(Bytes.wrap(flipped), Bytes.wrap(other), Bytes.EMPTY, good.slice(0, 40))) {
                two.cloud.objects().put(keys.getFirst(), bad, WriteCondition.ALWAYS);
                two.cloud.sleep(Duration.ofMinutes(2));
                QueryPlan plan = plan(two.other, Condition.and(STATUS.eq("OPEN"), DAY.le(20L)), 7, 107, 207);
                assertThat(plan.access()).isEqualTo(Access.KEYS);
            }
            two.cloud.objects().put(keys.getFirst(), good, WriteCondition.ALWAYS);
            two.cloud.sleep(Duration.ofMinutes(2));
            assertThat(plan(two.other, DAY.ge(60L)).access()).isEqualTo(Access.SUMMARIES);
            ValueField<Order, String> text = Field.of("day", FieldType.STRING, order -> "d" + order.day());
            RecordCollection<Long, Order> others =
                    orders(two.other).declare(Fields.of(text, Field.key("number", FieldType.LONG)));
            assertThat(others.find(text.eq("d59")).page().records()).hasSize(10);
        });
    }

    private static List<String> keys(Two two) {
        return ObjectStores.listAll(two.cloud.objects(), "penstock/summaries/").stream()
                .map(Listing.Entry::key)
                .toList();
    }

    @Test
    void garbageCollectionKeepsThemWithTheirTreeOnly() {
        with(ConsistencyLevel.ATOMIC, two -> {
            var unused = two.one.admin().removeGarbage(Duration.ZERO);
            assertThat(keys(two)).isNotEmpty();
            two.one.admin().rename("orders", "purchases");
            var again = two.one.admin().removeGarbage(Duration.ZERO);
            assertThat(keys(two)).isNotEmpty();
            assertThat(two.one.admin().verify().isSound()).isTrue();
            assertThat(two.one.admin().drop("purchases")).isTrue();
            two.cloud.sleep(Duration.ofHours(2));
            var last = two.one.admin().removeGarbage(Duration.ZERO);
            assertThat(keys(two)).isEmpty();
        });
    }

    @Test
    void withoutFieldsTheyAreRemoved() {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            var unused = two.one.admin().summarize(orders(two.one).declare(Fields.NONE));
            assertThat(keys(two)).isEmpty();
        });
    }

    @Test
    void wrongQueriesAreRefused() {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            RecordCollection<Long, Order> orders = orders(two.one);
            ValueField<Order, String> unknown = Field.of("unknown", FieldType.STRING, Order::status);
            ValueField<Order, Long> broken = Field.of("broken", FieldType.LONG, order -> Long.valueOf("x"));
            assertThatThrownBy(() -> orders.find(unknown.eq("x")).hasNext())
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("unknown");
            assertThatThrownBy(() -> orders.query(Query.all().select(unknown)))
                    .isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> Condition.compare(DAY, Condition.Operator.EQ, "text"))
                    .isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> orders.declare(Fields.of(Field.key("number", FieldType.STRING))))
                    .isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> orders.declare(Fields.of(broken))
                            .find(broken.eq(1L))
                            .hasNext())
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("broken");
            SummaryReport report = two.one.admin().summarize(orders);
            assertThat(report.leaves()).isZero();
            assertThat(report.left()).isPositive();
            assertThat(orders(two.one).find(DAY.eq(1L)).page().records()).hasSize(10);
        });
    }
}
