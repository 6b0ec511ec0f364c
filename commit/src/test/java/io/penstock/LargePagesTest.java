package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.task.Task;
import io.penstock.testing.MemoryTier;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collections of large pages: read in parts beside writers, in bad weather; and a disk tier behind the front door. */
class LargePagesTest {
    private static final int KEYS = 700;
    private static final int PAGE_BYTES = 1 << 20;
    private static final String FILLING = "x".repeat(2_000);

    @TempDir
    Path directory;

    private static RecordCollection<Long, String> numbers(Penstock store) {
        return store.collection("numbers", Keys.longs(), Json.of(String.class));
    }

    private static Settings settings(SimulatedStore world, String machine) {
        return world.settings(machine).pageBytes(PAGE_BYTES).checkpointInterval(Duration.ofSeconds(3));
    }

    /** Each key has one writer, whose values count up: a reader that sees one go down has gone back in time. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void partsOfPagesKeepThePromisesOfTheLevel(long seed) {
        SimulatedStore world = new SimulatedStore(seed, World.ROUGH);
        world.run(w -> {
            Map<Long, Integer> written = new TreeMap<>();
            try (Penstock store = Penstock.open(settings(w, "loader"))) {
                store.transact(tx -> {
                    for (long key = 0; key < KEYS; key++) {
                        tx.put(numbers(store), key, value(0));
                        written.put(key, 0);
                    }
                    return true;
                });
            }
            AtomicBoolean over = new AtomicBoolean();
            List<Task<Boolean>> readers = new ArrayList<>();
            for (int r = 0; r < 2; r++) {
                SimulatedClient machine = w.machine("reader" + r);
                MemoryTier disk = new MemoryTier(seed + r, 10, 0.2);
                Settings plain = settings(w, "reader" + r)
                        .poolBytes(r == 0 ? 64 << 10 : 8 << 20)
                        .ttl(Duration.ofSeconds(2))
                        .advanced(advanced -> advanced.blockBytes(32 << 10));
                Settings reading = r == 0 ? plain : StoreProbe.withTier(plain, disk);
                readers.add(machine.start("reader", () -> read(reading, machine, seed, over)));
            }
            write(w, seed, written);
            over.set(true);
            readers.forEach(Task::join);
            w.cloud.setWorld(World.CALM);
            SimulatedClient last = w.machine("last");
            try (Penstock store =
                    Penstock.open(settings(w, "last").advanced(advanced -> advanced.blockBytes(64 << 10)))) {
                SimulatedStore.settle(store, last);
            }
            try (Penstock store =
                    Penstock.open(settings(w, "check").advanced(advanced -> advanced.blockBytes(64 << 10)))) {
                Map<Long, Integer> found = new TreeMap<>();
                try (Scan<Entry<Long, String>> scan = numbers(store).scan(KeySpan.all())) {
                    scan.forEachRemaining(entry -> found.put(entry.key(), count(entry.value())));
                }
                assertThat(found).as("seed=%d", seed).isEqualTo(written);
                assertThat(StoreProbe.faults(store)).as("seed=%d", seed).isEmpty();
            }
        });
    }

    private static String value(int count) {
        return count + " " + FILLING;
    }

    private static int count(String value) {
        return Integer.parseInt(value.substring(0, value.indexOf(' ')));
    }

    private static void write(SimulatedStore world, long seed, Map<Long, Integer> written) {
        SplittableRandom random = new SplittableRandom(seed);
        SimulatedClient machine = world.machine("writer");
        try (Penstock store = Penstock.open(settings(world, "writer"))) {
            for (int round = 0; round < 40; round++) {
                Map<Long, Integer> changes = new TreeMap<>();
                for (int i = 0; i < 5; i++) {
                    changes.put((long) random.nextInt(KEYS), round + 1);
                }
                store.transact(tx -> {
                    changes.forEach((key, count) -> tx.put(numbers(store), key, value(count)));
                    return true;
                });
                written.putAll(changes);
                machine.sleep(Duration.ofMillis(random.nextInt(1_500)));
            }
        }
    }

    private static void read(Settings settings, SimulatedClient machine, long seed, AtomicBoolean over) {
        SplittableRandom random = new SplittableRandom(seed + 99);
        Map<Long, Integer> seen = new HashMap<>();
        try (Penstock store = Penstock.open(settings.readOnly(true))) {
            while (!over.get()) {
                long key = random.nextInt(KEYS);
                if (random.nextInt(8) == 0) {
                    KeySpan<Long> span = KeySpan.between(key, key + 60);
                    try (Scan<Entry<Long, String>> scan = numbers(store).scan(span)) {
                        scan.forEachRemaining(entry -> see(seen, entry.key(), entry.value(), seed));
                    }
                } else {
                    numbers(store).get(key).ifPresent(value -> see(seen, key, value, seed));
                }
                machine.sleep(Duration.ofMillis(random.nextInt(400)));
            }
        }
        assertThat(seen).as("seed=%d", seed).isNotEmpty();
    }

    private static void see(Map<Long, Integer> seen, long key, String value, long seed) {
        int count = count(value);
        assertThat(count).as("seed=%d key=%d", seed, key).isGreaterThanOrEqualTo(seen.getOrDefault(key, 0));
        seen.put(key, count);
    }

    @Test
    void aDiskTierIsExclusiveAndServesTheNextOpening() {
        Settings settings = Settings.local(directory.resolve("store")).diskTier(directory.resolve("disk"), 1 << 20);
        try (Penstock store = Penstock.open(settings)) {
            store.transact(tx -> {
                tx.put(numbers(store), 1L, "one");
                return true;
            });
            Settings second = Settings.local(directory.resolve("another")).diskTier(directory.resolve("disk"), 1 << 20);
            assertThatThrownBy(() -> Penstock.open(second))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.DIRECTORY_IN_USE));
        }
        try (Penstock store = Penstock.open(settings)) {
            assertThat(numbers(store).get(1L)).contains("one");
            double hits = settings.meters().find("penstock.tier.hits").functionCounters().stream()
                    .mapToDouble(counter -> counter.count())
                    .sum();
            assertThat(hits).isPositive();
        }
    }

    @Test
    void anOpeningThatFailsLeavesTheDiskTierFree() {
        SimulatedStore world = new SimulatedStore(1, World.CALM);
        world.run(w -> {
            Settings settings = w.settings("a").diskTier(directory.resolve("disk"), 1 << 20);
            try (Penstock store = w.open("maker")) {
                numbers(store).get(1L);
            }
            assertThatThrownBy(() -> Penstock.open(settings.provisioning(Provisioning.EXISTING)))
                    .isInstanceOf(InvalidRequestException.class);
            Penstock.open(settings).close();
        });
    }
}
