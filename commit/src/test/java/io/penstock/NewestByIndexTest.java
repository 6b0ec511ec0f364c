package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The newest records by an index, again and again: a view whose pages are pooled used to cost a GET for each row. */
class NewestByIndexTest {
    private static final int ROWS = 20;
    private static final Duration TTL = Duration.ofSeconds(10);

    /** A collection and its index, as one client has opened them. */
    private record Notes(RecordCollection<Long, String> records, Index<Long, Long, String> times) {
        static Notes of(Penstock store) {
            RecordCollection<Long, String> records = store.collection("notes", Keys.longs(), Json.of(String.class));
            return new Notes(
                    records,
                    records.index("times", Keys.descending(Keys.longs()), text -> Long.parseLong(text.trim())));
        }

        void put(long number) {
            records.put(number, number + " ".repeat(30));
        }

        List<Long> newest() {
            List<Long> found = new ArrayList<>();
            try (Scan<Entry<Long, String>> scan = times.scan(KeySpan.all().limit(ROWS))) {
                scan.forEachRemaining(entry -> found.add(entry.key()));
            }
            return found;
        }
    }

    private static double gets(MeterRegistry meters) {
        return meters.find("penstock.requests").tag("op", "s3.get").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private static Penstock open(SimulatedStore cloud, String machine, MeterRegistry meters, int pageBytes) {
        return Penstock.open(
                cloud.settings(machine).ttl(TTL).pageBytes(pageBytes).meters(meters));
    }

    /** One page that is the root, or many. */
    @ParameterizedTest
    @ValueSource(ints = {65_536, 1_024})
    void costNoRequestWithinTheTtl(int pageBytes) {
        new SimulatedStore(5, World.CALM).run(cloud -> {
            MeterRegistry meters = new SimpleMeterRegistry();
            try (Penstock writer = open(cloud, "writer", new SimpleMeterRegistry(), pageBytes);
                    Penstock reader = open(cloud, "reader", meters, pageBytes)) {
                Notes written = Notes.of(writer);
                for (long number = 0; number < 100; number++) {
                    written.put(number);
                }
                writer.admin().checkpoint();
                cloud.sleep(TTL.plusSeconds(1));
                Notes read = Notes.of(reader);
                assertThat(read.newest()).hasSize(ROWS).startsWith(99L);
                double cold = gets(meters);
                for (long number = 100; number < 150; number++) {
                    written.put(number);
                    assertThat(read.newest()).hasSize(ROWS);
                }
                assertThat(gets(meters)).as("seed=5").isEqualTo(cold);
            }
        });
    }

    /** The entries of records that no page has yet. */
    @ParameterizedTest
    @ValueSource(ints = {1, ROWS})
    void ofACollectionWithoutAPageAskForItOnceAView(int entries) {
        new SimulatedStore(6, World.CALM).run(cloud -> {
            MeterRegistry meters = new SimpleMeterRegistry();
            try (Penstock store = Penstock.open(
                    cloud.settings("a").level(ConsistencyLevel.MONOTONIC).meters(meters))) {
                Notes notes = Notes.of(store);
                for (long number = 0; number < entries; number++) {
                    notes.put(number);
                }
                double before = gets(meters);
                assertThat(notes.newest()).hasSize(entries);
                assertThat(gets(meters) - before).as("seed=6").isLessThan(8);
            }
        });
    }
}
