package io.penstock.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Rows;
import io.penstock.Settings;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Queries find what a plain filter finds, by whatever way. */
class QueriesTest {
    private final Random random = new Random(20261126);
    private int covered;

    /** The ways of counts, and of orders. */
    private final Map<QueryPlan.Access, Integer> summed = new EnumMap<>(QueryPlan.Access.class);

    private final Map<QueryPlan.Access, Integer> first = new EnumMap<>(QueryPlan.Access.class);

    private static RecordCollection<Keys.Pair<String, Long>, Sample> open(Penstock store) {
        RecordCollection<Keys.Pair<String, Long>, Sample> samples =
                store.collection("samples", Keys.pair(Keys.string(), Keys.longs()), new SampleCodec());
        samples.index("byBig", Keys.longs(), Sample.FIELDS.get("big", Sample.class, FieldType.LONG));
        samples.index("byAt", Keys.instants(), Sample.FIELDS.get("at", Sample.class, FieldType.INSTANT));
        ValueField<Sample, BigDecimal> price = Sample.FIELDS.get("price", Sample.class, FieldType.DECIMAL);
        samples.index("byPrice", Keys.decimals(), price)
                .including(
                        "price-ratio-name",
                        price,
                        Sample.FIELDS.get("ratio", Sample.class, FieldType.DOUBLE),
                        Sample.FIELDS.get("name", Sample.class, FieldType.STRING));
        return samples.declare(Sample.FIELDS);
    }

    @ParameterizedTest
    @EnumSource(
            value = ConsistencyLevel.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = "BASIC") // there records turn up between two reads
    void randomQueriesFindWhatAFilterFinds(ConsistencyLevel level) {
        try (Penstock store = Penstock.open(Settings.inMemory().level(level).pageBytes(2048))) {
            RecordCollection<Keys.Pair<String, Long>, Sample> samples = open(store);
            Oracle oracle = new Oracle(random, Sample.FIELDS.all());
            Map<QueryPlan.Access, Integer> ways = new EnumMap<>(QueryPlan.Access.class);
            for (int i = 0; i < 600; i++) {
                if (i % 10 == 0) {
                    write(samples);
                }
                if (i % 200 == 0) {
                    store.flush();
                    var unused = store.admin().checkpoint();
                }
                Condition condition = oracle.condition(random.nextInt(4));
                if (i % 300 == 250) {
                    var unused = store.admin().summarize(samples, Sample.FIELDS.get("small"));
                }
                if (i % 300 == 290) {
                    var unused = store.admin().summarize(samples);
                }
                ways.merge(compare(store, samples, condition), 1, Integer::sum);
            }
            assertThat(covered > 0).isEqualTo(level.isolates());
            assertThat(summed.keySet()).contains(QueryPlan.Access.KEYS, QueryPlan.Access.SUMMARIES);
            assertThat(first.keySet())
                    .contains(QueryPlan.Access.KEYS, QueryPlan.Access.INDEX, QueryPlan.Access.SUMMARIES);
            assertThat(ways.keySet())
                    .containsAll(EnumSet.of(
                            QueryPlan.Access.KEYS,
                            QueryPlan.Access.NOTHING,
                            QueryPlan.Access.INDEX,
                            QueryPlan.Access.SUMMARIES));
        }
    }

    /** Some fields of the records, which an index may have. */
    private void compareParts(
            RecordCollection<Keys.Pair<String, Long>, Sample> samples, Condition condition, Set<Object> keys) {
        Set<Object> found = new java.util.HashSet<>();
        Field<?> ratio = Sample.FIELDS.get("ratio");
        Rows rows = samples.query(Query.where(condition).select(Sample.GROUP, Sample.NUMBER, ratio));
        rows.forEachRemaining(row -> {
            Keys.Pair<String, Long> key = new Keys.Pair<>(row.get(Sample.GROUP), row.get(Sample.NUMBER));
            assertThat(row.get(ratio)).isEqualTo(samples.get(key).orElseThrow().ratio());
            assertThat(found.add(key)).isTrue();
        });
        assertThat(found).as("%s", condition).isEqualTo(keys);
        covered += rows.plan().access() == QueryPlan.Access.COVERING ? 1 : 0;
    }

    private void write(RecordCollection<Keys.Pair<String, Long>, Sample> samples) {
        for (int n = random.nextInt(20); n > 0; n--) {
            Keys.Pair<String, Long> key = Sample.key(random);
            if (random.nextInt(6) == 0) {
                samples.delete(key);
            } else {
                samples.put(key, Sample.draw(random, key.second()));
            }
        }
    }

    private QueryPlan.Access compare(
            Penstock store, RecordCollection<Keys.Pair<String, Long>, Sample> samples, Condition condition) {
        Set<List<Object>> expected = new java.util.HashSet<>();
        Map<Object, Object> entries = new HashMap<>();
        samples.scan(KeySpan.all()).forEachRemaining(entry -> {
            if (Boolean.TRUE.equals(Oracle.judge(condition, entry))) {
                entries.put(entry.key(), entry.value());
                List<Object> row = new ArrayList<>();
                Sample.FIELDS.all().forEach(field -> row.add(Oracle.value(field, entry)));
                expected.add(row);
            }
        });
        Map<Object, Object> found = new HashMap<>();
        for (Entry<Keys.Pair<String, Long>, Sample> entry :
                samples.find(condition).page().records()) {
            assertThat(found.put(entry.key(), entry.value())).isNull();
        }
        assertThat(found).as("%s", condition).isEqualTo(entries);
        compareParts(samples, condition, entries.keySet());
        Rows rows = samples.query(Query.where(condition));
        List<List<Object>> seen = new ArrayList<>();
        rows.forEachRemaining(row -> seen.add(new ArrayList<>(row.values())));
        assertThat(seen).hasSize(expected.size());
        assertThat(new java.util.HashSet<>(seen)).as("%s", condition).isEqualTo(expected);
        compareCount(samples, condition, seen.size());
        compareCounts(samples, condition, seen);
        compareFirst(samples, condition, seen);
        return rows.plan().access();
    }

    private void compareCount(
            RecordCollection<Keys.Pair<String, Long>, Sample> samples, Condition condition, long expected) {
        Rows count = samples.query(Query.where(condition).count());
        assertThat(count.next().get(Query.COUNT)).as("%s", condition).isEqualTo(expected);
        assertThat(count.hasNext()).isFalse();
        summed.merge(count.plan().access(), 1, Integer::sum);
    }

    private void compareCounts(
            RecordCollection<Keys.Pair<String, Long>, Sample> samples, Condition condition, List<List<Object>> all) {
        List<Field<?>> fields = Sample.FIELDS.all();
        int at = random.nextInt(fields.size());
        Map<Object, Long> expected = new HashMap<>();
        all.forEach(row -> expected.merge(bytes(fields.get(at), row.get(at)), 1L, Long::sum));
        Map<Object, Long> found = new HashMap<>();
        samples.query(Query.where(condition).countBy(fields.get(at)))
                .forEachRemaining(row -> assertThat(found.put(bytes(fields.get(at), row.at(0)), row.get(Query.COUNT)))
                        .isNull());
        assertThat(found).as("%s by %s", condition, fields.get(at)).isEqualTo(expected);
    }

    private static <T> Object bytes(Field<T> field, Object value) {
        return value == null
                ? "null"
                : field.type().encode(field.type().javaType().cast(value));
    }

    /** The first rows of an order, of which those that are equal may be any. */
    private void compareFirst(
            RecordCollection<Keys.Pair<String, Long>, Sample> samples, Condition condition, List<List<Object>> all) {
        List<Field<?>> fields = Sample.FIELDS.all();
        int at = random.nextInt(fields.size());
        int most = 1 + random.nextInt(8);
        boolean descending = random.nextBoolean();
        Query query = Query.where(condition).limit(most);
        Query ordered = descending ? query.orderByDescending(fields.get(at)) : query.orderBy(fields.get(at));
        List<List<Object>> found = new ArrayList<>();
        Rows rows = samples.query(ordered);
        rows.forEachRemaining(row -> found.add(new ArrayList<>(row.values())));
        Comparator<Object> order = descending ? Oracle.order().reversed() : Oracle.order();
        List<Object> expected =
                all.stream().map(row -> row.get(at)).sorted(order).limit(most).toList();
        List<Object> places = found.stream().map(row -> row.get(at)).toList();
        assertThat(places).as("%s", ordered).usingElementComparator(order).containsExactlyElementsOf(expected);
        assertThat(found).as("%s", ordered).isSubsetOf(all).doesNotHaveDuplicates();
        first.merge(rows.plan().access(), 1, Integer::sum);
    }
}
