package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Task;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Large and small payloads that replace one another, by clients that crash at any call, beside readers of old pages:
 * every read returns a value that was written, and in the end every object that a page refers to exists.
 */
class LargePayloadCrashTest {
    private static final int SEEDS = 60;
    private static final int CLIENTS = 3;
    private static final int KEYS = 3;

    private final AtomicInteger large = new AtomicInteger();
    private final AtomicInteger removed = new AtomicInteger();
    private final AtomicInteger appended = new AtomicInteger();
    private final AtomicInteger stale = new AtomicInteger();

    private static RecordCollection<String, String> texts(Penstock store) {
        return store.collection("texts", Keys.string(), new PayloadCodec<>() {
            @Override
            public Bytes encode(String value) {
                return Bytes.utf8(value);
            }

            @Override
            public String decode(Bytes payload) {
                return payload.toUtf8();
            }
        });
    }

    private static Map<String, String> content(Penstock store) {
        Map<String, String> found = new TreeMap<>();
        // As a page, which is read again where others change what it has.
        texts(store).scan(KeySpan.all()).page().records().forEach(entry -> found.put(entry.key(), entry.value()));
        return found;
    }

    /** One run: what each key was set to, in order, and the last of it that was acknowledged. */
    private final class Run {
        private final String name;
        private final SimulatedStore cloud;
        private final Settings settings;
        private final Random random;
        private final Map<String, List<String>> written = new HashMap<>();
        private final Map<String, Integer> acknowledged = new HashMap<>();

        /** Whether the writer of a record sees what it has written. */
        private final boolean sees;

        Run(String name, SimulatedStore cloud, Settings settings, Random random, boolean sees) {
            this.sees = sees;
            this.name = name;
            this.cloud = cloud;
            this.settings = settings;
            this.random = random;
        }

        /** Each key has one writer, so that its last acknowledged write is known. */
        void write(Penstock store, int client, int count) {
            for (int n = 0; n < count; n++) {
                String key = "k" + client + "." + random.nextInt(KEYS);
                String value = key + "#" + n + (random.nextInt(3) == 0 ? "" : "v".repeat(300 + random.nextInt(900)));
                large.addAndGet(value.length() > 300 ? 1 : 0);
                written.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
                int index = written.get(key).size() - 1;
                try {
                    if (sees && random.nextInt(3) == 0) {
                        index = append(store, key, value);
                    } else {
                        texts(store).put(key, value);
                    }
                    acknowledged.put(key, index);
                } catch (UnavailableException | OutcomeUnknownException unlucky) {
                    assertThat(unlucky.getMessage()).isNotEmpty();
                }
                read(store);
            }
        }

        /** Appends to what its only writer sees of the record, if there is one; a run that fails is as if written. */
        private int append(Penstock store, String key, String more) {
            return store.transact(tx -> {
                Optional<String> before = tx.get(texts(store), key);
                if (before.isPresent()) {
                    tx.append(texts(store), key, Bytes.utf8(more));
                } else {
                    tx.put(texts(store), key, more);
                }
                String after = before.orElse("") + more;
                if (!written.get(key).contains(after)) {
                    written.get(key).add(after);
                }
                appended.incrementAndGet();
                return written.get(key).indexOf(after);
            });
        }

        /** Reads never return a value that was not written, and never fail with CorruptData. */
        void read(Penstock store) {
            String key = "k" + random.nextInt(CLIENTS) + "." + random.nextInt(KEYS);
            try {
                texts(store)
                        .get(key)
                        .ifPresent(
                                found -> assertThat(written.get(key)).as(name).contains(found));
                if (random.nextInt(4) == 0) {
                    content(store)
                            .forEach((k, found) ->
                                    assertThat(written.get(k)).as(name).contains(found));
                }
            } catch (UnavailableException unlucky) {
                stale.incrementAndGet();
            }
        }

        void verify(Penstock store) {
            Map<String, String> content = content(store);
            acknowledged.forEach((key, index) -> assertThat(written.get(key).indexOf(content.getOrDefault(key, "none")))
                    .as("%s key=%s", name, key)
                    .isGreaterThanOrEqualTo(index));
            assertThat(StoreProbe.faults(store)).as(name).isEmpty();
            TreeSet<String> stored = new TreeSet<>(cloud.keys("overflow/"));
            assertThat(stored).as(name).containsAll(FinalState.overflowKeys(texts(store)));
            long puts = written.values().stream()
                    .flatMap(List::stream)
                    .filter(value -> value.length() > 300)
                    .count();
            removed.addAndGet((int) puts - stored.size());
        }
    }

    private void run(long seed) {
        Random random = new Random(seed);
        List<ConsistencyLevel> levels = Levels.except(ConsistencyLevel.NAIVE);
        ConsistencyLevel level = levels.get(random.nextInt(levels.size()));
        List<World> worlds = List.of(World.CALM, World.ROUGH);
        World world = worlds.get(random.nextInt(worlds.size()));
        String name = "seed=" + seed + " level=" + level;
        new SimulatedStore(seed, Profile.AWS_2026, world).run(cloud -> {
            Settings common = cloud.settings("unused")
                    .level(level)
                    .ttl(Duration.ofMillis(List.of(1, 500, 20_000).get(random.nextInt(3))))
                    .checkpointInterval(Duration.ofMillis(300 + random.nextInt(3000)));
            Run run = new Run(name, cloud, common, random, level.compareTo(ConsistencyLevel.MONOTONIC) >= 0);
            SimulatedClient doomed = cloud.machine("c0");
            doomed.start("work", () -> run.write(open(run, "c0"), 0, 10_000));
            List<Task<Boolean>> work = new ArrayList<>();
            for (int i = 1; i < CLIENTS; i++) {
                int client = i;
                work.add(cloud.machine("c" + i).start("work", () -> {
                    try (Penstock store = open(run, "c" + client)) {
                        run.write(store, client, 40);
                    }
                }));
            }
            cloud.sleep(Duration.ofMillis(100 + random.nextInt(6000)));
            doomed.crash();
            work.forEach(Task::join);
            cloud.sleep(Duration.ofMinutes(2));
            cloud.cloud.setWorld(World.CALM);
            Settings heirs = settings(run, "heir").deadAfter(Duration.ofSeconds(40));
            try (Penstock heir = Penstock.open(heirs)) {
                SimulatedStore.settle(heir, cloud.machine("heir"));
                run.verify(heir);
            }
        });
    }

    private static Settings settings(Run run, String machine) {
        return run.cloud
                .settings(machine)
                .level(run.settings.level())
                .ttl(run.settings.forStore().limits().ttl())
                .checkpointInterval(run.settings.forStore().background().checkpointInterval());
    }

    private static Penstock open(Run run, String machine) {
        return Penstock.open(settings(run, machine));
    }

    @Test
    void crashesAtAnyCall() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                run(seed);
            } catch (RuntimeException failure) {
                throw new AssertionError("seed=" + seed, failure);
            }
        }
        assertThat(large.get()).isGreaterThan(SEEDS * 20);
        assertThat(appended.get()).isGreaterThan(SEEDS * 5);
        assertThat(removed.get()).as("replaced payloads are removed").isGreaterThan(SEEDS * 10);
    }
}
