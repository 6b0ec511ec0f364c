package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A scan fetches as many leaves as it needs for the limit it declares, or for all records. */
class LimitedScanTest {
    private static final int KEYS = 2_000;
    private static final int WANTED = 100;

    private static RecordCollection<Long, String> numbers(Penstock store) {
        return store.collection("numbers", Keys.longs(), Json.of(String.class));
    }

    private static void fill(Penstock store) {
        store.transact(tx -> {
            for (long key = 0; key < KEYS; key++) {
                tx.put(numbers(store), key, "x".repeat(60));
            }
            return true;
        });
    }

    /** The GETs of a machine with an empty pool, readahead included. */
    private static double gets(
            SimulatedStore world,
            String machine,
            KeySpan<? super Long> span,
            int wanted,
            UnaryOperator<Scan<Entry<Long, String>>> said) {
        MeterRegistry meters = new SimpleMeterRegistry();
        try (Penstock store = Penstock.open(world.settings(machine).meters(meters))) {
            int found = 0;
            try (Scan<Entry<Long, String>> scan = said.apply(numbers(store).scan(span))) {
                while (found < wanted && scan.hasNext()) {
                    scan.next();
                    found++;
                }
                world.sleep(Duration.ofSeconds(10));
            }
            assertThat(found).isEqualTo(wanted);
            return meters.find("penstock.requests").tag("op", "s3.get").counters().stream()
                    .mapToDouble(Counter::count)
                    .sum();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readaheadEndsWithTheLimit(boolean reversed) {
        SimulatedStore world = new SimulatedStore(1, World.CALM);
        world.run(w -> {
            try (Penstock store = w.open("writer")) {
                fill(store);
            }
            KeySpan<Object> all = reversed ? KeySpan.all().reversed() : KeySpan.all();
            double free = gets(w, "free", all, WANTED, scan -> scan);
            double limited = gets(w, "limited", all.limit(WANTED), WANTED, scan -> scan);
            assertThat(limited).isPositive();
            assertThat(limited).isLessThan(free - 20);
            assertThat(gets(w, "to its end", all.limit(WANTED), WANTED, Scan::toEnd))
                    .isEqualTo(limited);
        });
    }

    @Test
    void aScanThatGoesToItsEndHasLeavesFetchedFromTheFirstOn() {
        SimulatedStore world = new SimulatedStore(1, World.CALM);
        world.run(w -> {
            try (Penstock store = w.open("writer")) {
                fill(store);
            }
            double careful = gets(w, "careful", KeySpan.all(), 1, scan -> scan);
            assertThat(gets(w, "to its end", KeySpan.all(), 1, Scan::toEnd)).isGreaterThan(careful + 20);
            assertThat(gets(w, "each", KeySpan.all(), 1, LimitedScanTest::breakOff))
                    .isGreaterThan(careful + 20);
        });
    }

    /** Takes the first record as one of all. */
    private static Scan<Entry<Long, String>> breakOff(Scan<Entry<Long, String>> scan) {
        assertThatThrownBy(() -> scan.forEachRemaining(entry -> {
                    throw new IllegalStateException("enough");
                }))
                .hasMessage("enough");
        return scan;
    }
}
