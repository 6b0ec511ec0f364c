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
import java.util.ArrayList;
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

    private static RecordCollection<Keys.Pair<String, Long>, Sample> open(Penstock store) {
        RecordCollection<Keys.Pair<String, Long>, Sample> samples =
                store.collection("samples", Keys.pair(Keys.string(), Keys.longs()), new SampleCodec());
        samples.index("byBig", Keys.longs(), Sample.FIELDS.get("big", Sample.class, FieldType.LONG));
        samples.index("byAt", Keys.instants(), Sample.FIELDS.get("at", Sample.class, FieldType.INSTANT));
        samples.index("byPrice", Keys.decimals(), Sample.FIELDS.get("price", Sample.class, FieldType.DECIMAL));
        return samples.declare(Sample.FIELDS);
    }

    @ParameterizedTest
    @EnumSource(ConsistencyLevel.class)
    void randomQueriesFindWhatAFilterFinds(ConsistencyLevel level) {
        try (Penstock store = Penstock.open(Settings.inMemory().level(level).pageBytes(2048))) {
            RecordCollection<Keys.Pair<String, Long>, Sample> samples = open(store);
            Oracle oracle = new Oracle(random, Sample.FIELDS.all());
            Map<QueryPlan.Access, Integer> ways = new EnumMap<>(QueryPlan.Access.class);
            for (int i = 0; i < 2_000; i++) {
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
            assertThat(ways.keySet())
                    .containsAll(EnumSet.of(
                            QueryPlan.Access.KEYS,
                            QueryPlan.Access.NOTHING,
                            QueryPlan.Access.INDEX,
                            QueryPlan.Access.SUMMARIES));
        }
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
        Rows rows = samples.query(Query.where(condition));
        List<List<Object>> seen = new ArrayList<>();
        rows.forEachRemaining(row -> seen.add(new ArrayList<>(row.values())));
        assertThat(seen).hasSize(expected.size());
        assertThat(new java.util.HashSet<>(seen)).as("%s", condition).isEqualTo(expected);
        return rows.plan().access();
    }
}
