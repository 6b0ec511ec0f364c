package io.penstock.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.sim.World;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A scan that said how many records it wants does not have the leaves behind them fetched. */
class LimitedScanTest {
    private static final int KEYS = 2_000;
    private static final int WANTED = 100;

    private static Collection<Long, String> numbers(Penstock store) {
        return store.collection("numbers", Keys.longs(), Json.of(String.class));
    }

    /** GETs of a machine that has nothing in memory, also those that nobody waits for. */
    private static double gets(SimulatedStore world, String machine, KeySpan<Long> span) {
        MeterRegistry meters = new SimpleMeterRegistry();
        try (Penstock store = Penstock.open(world.settings(machine).meters(meters))) {
            int found = 0;
            try (Scan<Entry<Long, String>> scan = numbers(store).scan(span)) {
                while (found < WANTED && scan.hasNext()) {
                    scan.next();
                    found++;
                }
                world.sleep(Duration.ofSeconds(10));
            }
            assertThat(found).isEqualTo(WANTED);
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
                store.transact(tx -> {
                    for (long key = 0; key < KEYS; key++) {
                        tx.put(numbers(store), key, "x".repeat(60));
                    }
                    return true;
                });
            }
            KeySpan<Long> all = reversed ? KeySpan.<Long>all().reversed() : KeySpan.all();
            double free = gets(w, "free", all);
            double limited = gets(w, "limited", all.limit(WANTED));
            assertThat(limited).isPositive();
            assertThat(limited).isLessThan(free - 20);
        });
    }
}
