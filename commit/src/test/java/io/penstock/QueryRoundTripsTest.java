package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import io.penstock.query.KeyField;
import io.penstock.query.Query;
import io.penstock.query.QueryPlan.Access;
import io.penstock.query.ValueField;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.CloudCall;
import io.penstock.testkit.LogNormal;
import io.penstock.testkit.Profile;
import io.penstock.testkit.World;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Requests of a query that need no answers of each other are under way together. Each GET and LIST takes the same
 * time here, and nothing else takes any: so the time of a query is the number of its requests that wait in a row.
 */
class QueryRoundTripsTest {
    private static final int RECORDS = 4_000;
    private static final long MILLIS = 100;

    record Sale(long day, long customer, String text) {}

    private static final KeyField<Long> NUMBER = Field.key("number", FieldType.LONG);
    private static final Fields FIELDS = Fields.ofClass(Sale.class).and(NUMBER);
    private static final ValueField<Sale, Long> DAY = FIELDS.get("day", Sale.class, FieldType.LONG);
    private static final ValueField<Sale, Long> CUSTOMER = FIELDS.get("customer", Sale.class, FieldType.LONG);

    private static RecordCollection<Long, Sale> sales(Penstock store) {
        RecordCollection<Long, Sale> sales = store.collection("sales", Keys.longs(), Json.of(Sale.class));
        var unused = sales.index("by-customer", Keys.longs(), CUSTOMER);
        return sales.declare(FIELDS);
    }

    private static Profile profile() {
        return Profile.INSTANT.with(
                new LogNormal(MILLIS, MILLIS, 0), CloudCall.GET, CloudCall.RANGE, CloudCall.MISS, CloudCall.LIST);
    }

    private record Asked(String call, String on, long nanos) {}

    /** The rows of a query, how it was answered, what was asked for, and how many requests waited in a row. */
    private record Found(long rows, Access access, List<Asked> asked, long inRow) {
        List<Asked> of(String call, String part) {
            return asked.stream()
                    .filter(each -> each.call.equals(call) && each.on.contains(part))
                    .toList();
        }
    }

    private static void with(ConsistencyLevel level, BiConsumer<SimulatedStore, Penstock> test) {
        with(level, RECORDS, 60, test);
    }

    private static void with(
            ConsistencyLevel level, int records, int textLength, BiConsumer<SimulatedStore, Penstock> test) {
        new SimulatedStore(1, profile(), World.CALM).run(cloud -> {
            try (Penstock one = Penstock.open(cloud.settings("one").level(level))) {
                for (long from = 0; from < records; from += 100) {
                    long first = from;
                    one.transact(transaction -> {
                        for (long each = first; each < first + 100; each++) {
                            Sale sale = new Sale(each / 10, each * 7_919 % records, "x".repeat(textLength));
                            transaction.put(sales(one), each, sale);
                        }
                        return true;
                    });
                }
                one.flush();
                var unused = one.admin().checkpoint();
                assertThat(one.admin().summarize(sales(one)).leaves()).isGreaterThan(300);
            }
            try (Penstock other =
                    Penstock.open(cloud.settings("other").level(level).checkpointing(false))) {
                assertThat(sales(other).get(records / 2L)).isPresent();
                test.accept(cloud, other);
            }
        });
    }

    private static Found ask(SimulatedStore cloud, Penstock store, Query query) {
        List<Asked> asked = new ArrayList<>();
        cloud.cloud.watch((step, client, call, on, outcome) -> {
            if (step == CallWatcher.Step.BEGINS && client.name().equals("other")) {
                asked.add(new Asked(call, on, cloud.simulation.nowNanos()));
            }
        });
        long begun = cloud.simulation.nowNanos();
        try (Rows rows = sales(store).query(query)) {
            long count = rows.toEnd().stream().count();
            long millis = (cloud.simulation.nowNanos() - begun) / 1_000_000;
            return new Found(count, rows.plan().access(), asked, millis / MILLIS);
        }
    }

    @ParameterizedTest
    @EnumSource(ConsistencyLevel.class)
    void leavesAreReadWhileTheirVersionsAreListed(ConsistencyLevel level) {
        with(level, (cloud, store) -> {
            Found found = ask(cloud, store, Query.where(DAY.in(List.of(3L, 50L, 120L, 333L))));
            assertThat(found.rows).isEqualTo(40);
            assertThat(found.access).isEqualTo(Access.SUMMARIES);
            assertThat(found.of("list", "/pages/")).hasSize(1);
            // Summaries, versions, the way to the first leaf, at strict levels the log's end; then leaves.
            assertThat(found.inRow).isLessThanOrEqualTo(3);
        });
    }

    @Test
    void ofALargeTreeVersionsAreListedBesideUnknownSummaries() {
        with(ConsistencyLevel.ATOMIC, 2 * RECORDS, 200, (cloud, store) -> {
            Found found = ask(cloud, store, Query.where(DAY.in(List.of(3L, 50L, 120L, 733L))));
            assertThat(found.rows).isEqualTo(40);
            assertThat(found.access).isEqualTo(Access.SUMMARIES);
            List<Asked> lists = found.of("list", "/pages/");
            assertThat(lists).hasSizeBetween(3, 5);
            long first = found.of("get", "/summaries/").getFirst().nanos;
            assertThat(lists).allSatisfy(list -> assertThat(list.nanos).isEqualTo(first));
            // A query that no summary helps lists nothing, once summaries are known.
            Found none = ask(cloud, store, Query.where(NUMBER.ne(-1L)));
            assertThat(none.rows).isEqualTo(2L * RECORDS);
            assertThat(none.of("list", "/pages/")).isEmpty();
        });
    }

    @Test
    void keyRangesDoNotLookAtSummariesThatCannotPay() {
        with(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            Found found = ask(cloud, store, Query.where(Condition.and(NUMBER.ge(100L), NUMBER.lt(180L))));
            assertThat(found.rows).isEqualTo(80);
            assertThat(found.access).isEqualTo(Access.KEYS);
            assertThat(found.of("get", "/summaries/")).isEmpty();
            // The way to the first leaf, the log's end, all leaves.
            assertThat(found.inRow).isLessThanOrEqualTo(3);
        });
    }

    private static List<Long> spread(int count) {
        return LongStream.range(0, count)
                .map(each -> each * RECORDS / count)
                .boxed()
                .toList();
    }

    @Test
    void leavesOfManyKeysAreReadTogether() {
        with(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            Found found = ask(cloud, store, Query.where(NUMBER.in(spread(40))));
            assertThat(found.rows).isEqualTo(40);
            assertThat(found.access).isEqualTo(Access.KEYS);
            assertThat(found.inRow).isLessThanOrEqualTo(3);
        });
    }

    @Test
    void aQueryWithALimitReadsFewLeavesAhead() {
        with(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            Found found = ask(cloud, store, Query.where(NUMBER.in(spread(40))).limit(1));
            assertThat(found.rows).isEqualTo(1);
            assertThat(found.of("get", "/pages/")).hasSizeLessThan(6);
        });
    }

    @Test
    void leavesOfManyValuesOfAnIndexAreReadTogether() {
        with(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            Found found = ask(cloud, store, Query.where(CUSTOMER.in(spread(40))).select(CUSTOMER));
            assertThat(found.rows).isEqualTo(40);
            assertThat(found.access).isEqualTo(Access.INDEX);
            // Five for the plan, one for the definition, which was read before the log; then those of the index, of
            // inner pages, and of the records, 32 at a time.
            assertThat(found.inRow).isLessThanOrEqualTo(10);
        });
    }
}
