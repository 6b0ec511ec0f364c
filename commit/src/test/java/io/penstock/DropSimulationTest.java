package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.task.Task;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.CrashedException;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Clients write to two collections while one of them is dropped, made anew and emptied, and garbage is collected. Any
 * of them may crash or freeze at any call; queues duplicate and reorder. What was over before an end of the collection
 * is never seen after it, what was begun a minute after the last end is there, and the other collection loses nothing.
 */
class DropSimulationTest {
    private static final Duration NOTICED = Duration.ofSeconds(80);
    private static final List<ConsistencyLevel> LEVELS =
            Levels.except(ConsistencyLevel.NAIVE, ConsistencyLevel.SNAPSHOT, ConsistencyLevel.SERIALIZABLE);

    /** A write that was acknowledged, and the times when it was begun and over. */
    private record Write(String key, long begunNanos, long overNanos) {}

    private final Set<String> seen = new HashSet<>();

    @Test
    void nothingComesBackAndNothingElseIsLost() {
        for (long seed = 1; seed <= 60; seed++) {
            new Run(seed).run();
        }
        assertThat(seen)
                .contains(
                        "crashed",
                        "frozen",
                        "gone",
                        "there",
                        "dropped",
                        "emptied",
                        "refused",
                        "refused at commit",
                        "made anew");
    }

    private final class Run {
        private final SplittableRandom random;
        private final SimulatedStore cloud;
        private final ConsistencyLevel level;
        private final long seed;
        private final List<Write> words = new ArrayList<>();
        private final List<String> others = new ArrayList<>();
        private final Map<String, Integer> strikes = new HashMap<>();
        private long endBegunNanos = Long.MIN_VALUE;
        private long endDoneNanos = Long.MIN_VALUE;
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

        private RecordCollection<String, String> others(Penstock store) {
            return store.collection("others", Keys.string(), Json.of(String.class));
        }

        void run() {
            cloud.run(servers -> {
                List<Task<Boolean>> all = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    all.add(start(this::write));
                }
                all.add(start(this::end));
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
                    int call = 20 + random.nextInt(400);
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
            try (Penstock store = Penstock.open(cloud.settings(machine.name())
                    .level(level)
                    .checkpointInterval(Duration.ofSeconds(5))
                    .advanced(advanced -> advanced.heartbeatInterval(Duration.ofSeconds(4)))
                    .deadAfter(Duration.ofSeconds(20))
                    .closeWithin(Duration.ofSeconds(10)))) {
                body.run(machine, store);
            } catch (InvalidRequestException unexpected) {
                throw new AssertionError("seed=" + seed, unexpected);
            } catch (StoreException given) {
                seen.add("gave up");
            }
        }

        private void write(SimulatedClient machine, Penstock store) {
            RecordCollection<String, String> collection = SimulatedStore.words(store);
            for (int i = 0; i < 40; i++) {
                machine.sleep(Duration.ofMillis(random.nextInt(8_000)));
                String key = machine.name() + "-" + i;
                long at = now();
                try {
                    commit(machine, store, collection, key);
                    words.add(new Write(key, at, now()));
                    others.add(key);
                } catch (InvalidRequestException refused) {
                    boolean late = String.valueOf(refused.getMessage()).contains("meanwhile");
                    seen.add(late ? "refused at commit" : "refused");
                    collection = SimulatedStore.words(store);
                } catch (OutcomeUnknownException unknown) {
                    seen.add("unknown");
                } catch (StoreException failed) {
                    seen.add("failed");
                }
            }
        }

        private void commit(
                SimulatedClient machine, Penstock store, RecordCollection<String, String> collection, String key) {
            try (Transaction transaction = store.begin()) {
                transaction.put(others(store), key, key);
                transaction.put(collection, key, key);
                machine.sleep(Duration.ofMillis(random.nextInt(20) == 0 ? 100_000 : 10));
                transaction.commit();
            }
        }

        private void end(SimulatedClient machine, Penstock store) {
            for (int i = 0; i < 4; i++) {
                machine.sleep(Duration.ofSeconds(5 + random.nextInt(60)));
                if (random.nextInt(4) == 0) {
                    machine.sleep(Duration.ofHours(2));
                    store.admin().removeGarbage(Duration.ZERO);
                }
                boolean drop = random.nextBoolean();
                long at = now();
                try {
                    boolean done = drop ? store.admin().drop("words") : truncate(store);
                    if (done) {
                        endBegunNanos = at;
                        seen.add(drop ? "dropped" : "emptied");
                    }
                } catch (StoreException failed) {
                    seen.add("end in doubt");
                } finally {
                    endDoneNanos = now();
                }
            }
        }

        private boolean truncate(Penstock store) {
            if (!store.collections().contains("words")) {
                return false;
            }
            try {
                store.admin().truncate("words");
                return true;
            } catch (InvalidRequestException none) {
                return false; // somebody has dropped it just then
            }
        }

        private void check() {
            try (Penstock store = cloud.open("last")) {
                for (int round = 0; round < 2; round++) {
                    SimulatedStore.settle(store, cloud.machine("main"));
                    cloud.sleep(Duration.ofMinutes(2));
                }
                Set<String> there = SimulatedStore.content(store).keySet();
                for (Write write : words) {
                    if (write.overNanos < endBegunNanos) {
                        assertThat(there).as("seed=%d, what came back", seed).doesNotContain(write.key);
                        seen.add("gone");
                    } else if (write.begunNanos > endDoneNanos + NOTICED.toNanos()) {
                        assertThat(there).as("seed=%d, what was lost", seed).contains(write.key);
                        seen.add("there");
                    }
                }
                Map<String, String> kept = new HashMap<>();
                try (Scan<Entry<String, String>> scan = others(store).scan(KeySpan.all())) {
                    scan.forEachRemaining(entry -> kept.put(entry.key(), entry.value()));
                }
                assertThat(kept.keySet()).as("seed=%d", seed).containsAll(others);
                SimulatedStore.words(store).put("again", "again");
                seen.add("made anew");
                SimulatedStore.settle(store, cloud.machine("main"));
                store.admin().removeGarbage(Duration.ZERO);
                assertThat(store.admin().verify().violations())
                        .as("seed=%d", seed)
                        .isEmpty();
                assertThat(cloud.keys("quarantine/")).as("seed=%d", seed).isEmpty();
                assertThat(cloud.keys("parked/")).as("seed=%d", seed).isEmpty();
            }
        }
    }
}
