package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.task.Task;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import io.penstock.query.KeyField;
import io.penstock.query.Query;
import io.penstock.query.QueryPlan;
import io.penstock.query.QueryPlan.Access;
import io.penstock.query.ValueField;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What it costs to choose the way of a query. */
class QueryPlanTest {
    private static final int RECORDS = 4_000;
    private static final int VALUES = 200;

    record Sale(long number, long customer, String text) {}

    private static final Fields FIELDS = Fields.ofClass(Sale.class);
    private static final ValueField<Sale, Long> CUSTOMER = FIELDS.get("customer", Sale.class, FieldType.LONG);

    private static RecordCollection<Long, Sale> sales(Penstock store) {
        RecordCollection<Long, Sale> sales = store.collection("sales", Keys.longs(), Json.of(Sale.class));
        var unused = sales.index("by-customer", Keys.longs(), CUSTOMER);
        return sales.declare(FIELDS);
    }

    private static void fill(Penstock store) {
        for (long from = 0; from < RECORDS; from += 100) {
            long first = from;
            store.transact(transaction -> {
                for (long each = first; each < first + 100; each++) {
                    transaction.put(sales(store), each, new Sale(each, each * 7_919 % RECORDS, "x".repeat(200)));
                }
                return true;
            });
        }
        store.flush();
        var unused = store.admin().checkpoint();
    }

    @Test
    void manyValuesOfAnIndexAreEstimatedByFewPages() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock one = cloud.open("one")) {
                fill(one);
            }
            Query query = Query.where(CUSTOMER.in(LongStream.range(0, VALUES)
                    .map(value -> value * RECORDS / VALUES)
                    .boxed()
                    .toList()));
            try (Penstock other = cloud.open("other")) {
                assertThat(sales(other).get(1L)).isPresent();
                AtomicInteger gets = new AtomicInteger();
                cloud.cloud.watch((step, client, call, on, outcome) -> {
                    if (step == CallWatcher.Step.DONE && call.equals("get") && on.contains("/pages/")) {
                        gets.incrementAndGet();
                    }
                });
                QueryPlan plan = sales(other).plan(query);
                assertThat(gets.get()).isLessThan(24);
                // Nearly as many leaves as the index has, and each record on a leaf of its own.
                assertThat(plan.access()).isEqualTo(Access.INDEX);
                assertThat(plan.requests()).isBetween(VALUES + 40L, 2L * VALUES);
                assertThat(sales(other).query(query).stream().count()).isEqualTo(VALUES);
            }
        });
    }

    /** The first rows by key are in the first leaves: a listing or summaries could save nothing. */
    @Test
    void firstRowsInTheOrderOfKeysAreReadWithoutAListing() {
        KeyField<Long> number = Field.key("key", FieldType.LONG);
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock one = cloud.open("one")) {
                fill(one);
            }
            try (Penstock other = cloud.open("other")) {
                RecordCollection<Long, Sale> sales = sales(other).declare(Fields.of(number, CUSTOMER));
                assertThat(sales.get(1L)).isPresent();
                List<String> looks = new CopyOnWriteArrayList<>();
                cloud.cloud.watch((step, client, call, on, outcome) -> {
                    if (step == CallWatcher.Step.DONE && (call.equals("list") || on.contains("summaries/"))) {
                        looks.add(call + " " + on);
                    }
                });
                Query first = Query.all().orderBy(number).select(CUSTOMER).limit(3);
                assertThat(sales.query(first).stream().count()).isEqualTo(3);
                assertThat(looks).isEmpty();
            }
        });
    }

    record Visit(long number, @Nullable String place) {}

    /** Entries of an index leave nulls out: where a condition does too, its first entries are the first records. */
    @Test
    void anIndexOfANullableFieldGivesAnOrderWithoutNulls() {
        Fields fields = Fields.ofClass(Visit.class);
        ValueField<Visit, String> place = fields.get("place", Visit.class, FieldType.STRING);
        try (Penstock store = Penstock.open(Settings.inMemory())) {
            RecordCollection<Long, Visit> visits = store.collection("visits", Keys.longs(), Json.of(Visit.class));
            var unused = visits.index("by-place", Keys.string(), place);
            visits.declare(fields);
            store.transact(transaction -> {
                for (long each = 0; each < RECORDS; each++) {
                    String padded = "%05d".formatted(each * 7_919 % RECORDS) + "x".repeat(200);
                    transaction.put(visits, each, new Visit(each, each % 10 == 0 ? null : padded));
                }
                return true;
            });
            store.flush();
            var applied = store.admin().checkpoint();
            Query present =
                    Query.where(Condition.not(place.isNull())).select(place).limit(3);
            assertThat(visits.plan(Query.all().orderBy(place).limit(3)).access())
                    .isNotEqualTo(Access.INDEX);
            for (Query query : List.of(present.orderBy(place), present.orderByDescending(place))) {
                assertThat(visits.plan(query).access()).isEqualTo(Access.INDEX);
                assertThat(visits.query(query).stream().map(row -> row.get(place)))
                        .hasSize(3)
                        .doesNotContainNull()
                        .isSortedAccordingTo(
                                query.order().descending() ? Comparator.reverseOrder() : Comparator.naturalOrder());
            }
        }
    }

    /** A query names no index, so it goes another way when that of its plan is dropped. */
    @Test
    void queriesGoOnWhileAnIndexIsDropped() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings settings = cloud.settings("reader").level(ConsistencyLevel.SERIALIZABLE);
            try (Penstock store = Penstock.open(settings);
                    Penstock other = Penstock.open(cloud.settings("other").level(ConsistencyLevel.SERIALIZABLE))) {
                fill(store);
                Task<Boolean> drop = cloud.machine("other").fork("drop", () -> {
                    cloud.machine("other").sleep(Duration.ofSeconds(15));
                    other.admin().dropIndex("sales", "by-customer");
                    return true;
                });
                RecordCollection<Long, Sale> sales = sales(store);
                Query wanted = Query.where(CUSTOMER.eq(7L));
                assertThat(sales.plan(wanted).access()).isEqualTo(QueryPlan.Access.INDEX);
                for (int i = 0; i < 1_000; i++) {
                    assertThat(sales.query(wanted).page().records()).hasSize(1);
                    cloud.sleep(Duration.ofMillis(100));
                }
                assertThat(drop.join()).isTrue();
                assertThat(sales.plan(wanted).access()).isNotEqualTo(QueryPlan.Access.INDEX);
            }
        });
    }
}
