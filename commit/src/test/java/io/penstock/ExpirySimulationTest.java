package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Compression;
import io.penstock.core.StoreException;
import io.penstock.core.task.Task;
import io.penstock.report.CompactionReport;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.CrashedException;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Clients put records that expire, and others, and delete them, while one compacts, collects garbage, and has pages
 * change in size and compression. Any of them may crash or freeze at any call; queues duplicate and reorder. Nobody
 * sees a record after its time, nothing older comes back in its place, and what has time left is there.
 */
class ExpirySimulationTest {
    private static final int KEYS = 4;
    private static final List<ConsistencyLevel> LEVELS = Levels.except(ConsistencyLevel.NAIVE);

    /**
     * A write of a key, which only one client writes.
     *
     * @param value null for a delete
     * @param untilNanos when it expires at the latest
     * @param sureNanos until when it surely is there
     */
    private record Write(String value, boolean acknowledged, long untilNanos, long sureNanos) {}

    private final Set<String> seen = new HashSet<>();

    @Test
    void whatHasExpiredIsNeverSeenAgain() {
        for (long seed = 1; seed <= 40; seed++) {
            new Run(seed).run();
        }
        assertThat(seen)
                .contains("crashed", "frozen", "purged", "expired", "there", "read", "deleted", "large", "reformed");
    }

    private final class Run {
        private final SplittableRandom random;
        private final SimulatedStore cloud;
        private final ConsistencyLevel level;
        private final long seed;
        private final Map<String, List<Write>> history = new LinkedHashMap<>();
        private final Map<String, Long> untilNanos = new HashMap<>();
        private final Map<String, Integer> strikes = new HashMap<>();
        private int machines;

        Run(long seed) {
            this.seed = seed;
            random = new SplittableRandom(seed * 7919);
            level = LEVELS.get((int) (seed % LEVELS.size()));
            cloud = new SimulatedStore(seed, random.nextInt(3) == 0 ? World.CALM : hostile());
            Map<String, Integer> calls = new HashMap<>();
            cloud.cloud.watch((step, client, call, on, outcome) -> {
                int count = calls.merge(client.name(), step == CallWatcher.Step.BEGINS ? 1 : 0, Integer::sum);
                Integer strike = strikes.get(client.name());
                if (strike != null && count >= Math.abs(strike)) {
                    strikes.remove(client.name());
                    strike(client, strike > 0);
                }
            });
        }

        private World hostile() {
            return new World(0.02, 0.02, 0.05, Duration.ZERO, 0.1, 0.3, Duration.ofMillis(500));
        }

        private void strike(SimulatedClient client, boolean crash) {
            seen.add(crash ? "crashed" : "frozen");
            if (crash) {
                client.crash();
            } else {
                client.freeze(Duration.ofSeconds(1 + random.nextInt(200)));
            }
        }

        private long now() {
            return cloud.simulation.nowNanos();
        }

        private Index<String, String, String> byText(RecordCollection<String, String> words) {
            return words.index("by-text", Keys.string(), text -> text.substring(0, Math.min(12, text.length())));
        }

        void run() {
            cloud.run(servers -> {
                List<Task<Boolean>> all = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    all.add(start(this::write));
                }
                all.add(start(this::upkeep));
                all.forEach(Task::join);
                cloud.cloud.setWorld(World.CALM);
                cloud.sleep(Duration.ofMinutes(3));
                check();
            });
        }

        private interface Body {
            void run(SimulatedClient machine, Penstock store);
        }

        private Task<Boolean> start(Body body) {
            SimulatedClient main = cloud.machine("main");
            return main.start("role", () -> {
                for (int life = 0; life < 3; life++) {
                    String name = "m" + machines++;
                    int call = 20 + random.nextInt(500);
                    strikes.put(name, random.nextBoolean() ? call : -call);
                    SimulatedClient machine = cloud.machine(name);
                    try {
                        machine.start("life", () -> live(machine, body)).join();
                    } catch (CrashedException crashed) {
                        main.sleep(Duration.ofSeconds(random.nextInt(30)));
                    }
                }
            });
        }

        private void live(SimulatedClient machine, Body body) {
            try (Penstock store = open(machine.name())) {
                body.run(machine, store);
            } catch (StoreException given) {
                seen.add("gave up");
            }
        }

        private Penstock open(String machine) {
            return Penstock.open(cloud.settings(machine)
                    .level(level)
                    .checkpointInterval(Duration.ofSeconds(60))
                    .advanced(advanced -> advanced.heartbeatInterval(Duration.ofSeconds(60)))
                    .deadAfter(Duration.ofMinutes(5))
                    .closeWithin(Duration.ofSeconds(10)));
        }

        private void write(SimulatedClient machine, Penstock store) {
            RecordCollection<String, String> words = SimulatedStore.words(store);
            var unused = byText(words);
            for (int i = 0; i < 30; i++) {
                machine.sleep(Duration.ofSeconds(random.nextInt(600)));
                String key = machine.name() + "-" + random.nextInt(KEYS);
                String value = key + "." + i + (random.nextInt(8) == 0 ? "x".repeat(700) : "");
                int minutes = 1 + random.nextInt(random.nextInt(90) + 1);
                int kind = random.nextInt(5);
                write(words, key, kind == 0 ? null : value, kind < 2 ? null : Duration.ofMinutes(minutes));
                read(words);
            }
        }

        private void write(RecordCollection<String, String> words, String key, String value, Duration life) {
            long begun = now();
            boolean acknowledged = false;
            // A client that crashes here may have committed it.
            List<Write> writes = history.computeIfAbsent(key, k -> new ArrayList<>());
            int place = writes.size();
            writes.add(new Write(value, false, Long.MAX_VALUE, 0));
            try {
                if (value == null) {
                    words.delete(key);
                } else if (life == null) {
                    words.put(key, value);
                } else {
                    words.put(key, value, life);
                }
                acknowledged = true;
            } catch (StoreException doubtful) {
                seen.add("unknown");
            }
            long lasts = life == null ? Long.MAX_VALUE / 4 : life.toNanos();
            writes.set(place, new Write(value, acknowledged, now() + lasts, begun + lasts));
            if (value != null) {
                untilNanos.put(value, now() + lasts);
            }
        }

        /** Whatever is seen has time left. Values are known here once they were written. */
        private void read(RecordCollection<String, String> words) {
            long begun = now();
            try (Scan<Entry<String, String>> scan = random.nextBoolean()
                    ? words.scan(KeySpan.all())
                    : byTextOf(words).scan(KeySpan.all())) {
                while (scan.hasNext()) {
                    Entry<String, String> entry = scan.next();
                    seen.add("read");
                    assertThat(untilNanos.getOrDefault(entry.value(), Long.MAX_VALUE))
                            .as("seed=%d key=%s", seed, entry.key())
                            .isGreaterThan(begun);
                }
            } catch (StoreException failed) {
                seen.add("failed");
            }
        }

        @SuppressWarnings("unchecked")
        private Index<String, String, String> byTextOf(RecordCollection<String, String> words) {
            return (Index<String, String, String>) words.indexes().getFirst();
        }

        private void upkeep(SimulatedClient machine, Penstock store) {
            for (int i = 0; i < 12; i++) {
                machine.sleep(Duration.ofMinutes(5 + random.nextInt(30)));
                try {
                    store.admin().recover();
                    repage(store);
                    CompactionReport done = store.admin().compact();
                    if (done.purged() > 0) {
                        seen.add("purged");
                    }
                    if (done.reformed() > 0) {
                        seen.add("reformed");
                    }
                    if (random.nextInt(4) == 0) {
                        store.admin().removeGarbage(Duration.ZERO);
                    }
                } catch (StoreException failed) {
                    seen.add("upkeep failed");
                }
            }
        }

        private void repage(Penstock store) {
            if (random.nextInt(3) == 0) {
                Compression by = random.nextBoolean() ? Compression.ZSTD : Compression.NONE;
                store.admin().repage("words", 512 << random.nextInt(4), by);
            }
        }

        private void check() {
            try (Penstock store = open("last")) {
                RecordCollection<String, String> words = SimulatedStore.words(store);
                Index<String, String, String> byText = byText(words);
                for (int round = 0; round < 3; round++) {
                    SimulatedStore.settle(store, cloud.machine("main"));
                    store.admin().compact();
                    checkContent(words, byText);
                    cloud.sleep(Duration.ofMinutes(40));
                }
                assertThat(store.admin().check(byText).missing())
                        .as("seed=%d", seed)
                        .isZero();
                store.admin().removeGarbage(Duration.ZERO);
                assertThat(store.admin().verify().violations())
                        .as("seed=%d", seed)
                        .isEmpty();
                assertThat(cloud.keys("quarantine/")).as("seed=%d", seed).isEmpty();
                assertThat(cloud.keys("parked/")).as("seed=%d", seed).isEmpty();
            }
        }

        private void checkContent(RecordCollection<String, String> words, Index<String, String, String> byText) {
            history.forEach((key, writes) -> {
                int last = writes.size() - 1;
                while (last >= 0 && !writes.get(last).acknowledged) {
                    last--;
                }
                List<Write> possible = writes.subList(Math.max(0, last), writes.size());
                long begun = now();
                String found = words.get(key).orElse(null);
                boolean may = found == null
                        ? last < 0 || possible.stream().anyMatch(one -> one.value == null || one.sureNanos <= now())
                        : possible.stream().anyMatch(one -> found.equals(one.value) && one.untilNanos > begun);
                assertThat(may)
                        .as("seed=%d key=%s found=%s of %s", seed, key, found, writes)
                        .isTrue();
                Write known = writes.get(writes.size() - 1);
                boolean expired = known.value != null && known.untilNanos <= begun;
                seen.add(found != null ? "there" : expired ? "expired" : "deleted");
                if (found != null && found.length() > 500) {
                    seen.add("large");
                }
                if (found != null) {
                    Set<String> keys = new HashSet<>();
                    try (Scan<Entry<String, String>> scan =
                            byText.scan(found.substring(0, Math.min(12, found.length())))) {
                        scan.forEachRemaining(entry -> keys.add(entry.key()));
                    }
                    boolean stays = now()
                            < possible.stream()
                                    .filter(one -> found.equals(one.value))
                                    .mapToLong(Write::sureNanos)
                                    .max()
                                    .orElse(0);
                    assertThat(keys.contains(key) || !stays)
                            .as("seed=%d key=%s", seed, key)
                            .isTrue();
                }
            });
        }
    }
}
