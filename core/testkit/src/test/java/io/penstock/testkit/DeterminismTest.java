package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.StoreException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.Receipt;
import io.penstock.core.task.Permits;
import io.penstock.core.task.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A run is a pure function of its seed: all that its actors did, when, and what they were told. */
class DeterminismTest {
    private static final int SEEDS = 50;
    private static final int CLIENTS = 4;
    private static final int TASKS = 3;
    private static final int CALLS = 40;

    @Test
    void oneSeedGivesOneHistory() {
        Set<List<String>> histories = new HashSet<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            List<String> first = new Run(seed, Profile.AWS_2026, World.ROUGH).history();
            List<String> second = new Run(seed, Profile.AWS_2026, World.ROUGH).history();
            assertThat(second).as("seed=%d", seed).isEqualTo(first);
            assertThat(first).as("seed=%d", seed).hasSizeGreaterThan(200);
            histories.add(first);
        }
        assertThat(histories).hasSize(SEEDS);
    }

    @Test
    void soInEveryProfileAndWithStaleReads() {
        World stale = new World(0.05, 0.05, 0.05, Duration.ofSeconds(5), 0.1, 0.3, Duration.ofSeconds(5));
        for (Profile profile : Profile.ALL) {
            for (long seed = 0; seed < 5; seed++) {
                assertThat(new Run(seed, profile, stale).history())
                        .as("seed=%d profile=%s", seed, profile.name())
                        .isEqualTo(new Run(seed, profile, stale).history());
            }
        }
    }

    /** The published test values of SplitMix64, and how the other draws follow from them. */
    @Test
    void seedsMeanTheSameOnEveryMachine() {
        SeededRandom random = new SeededRandom(1_234_567);
        assertThat(random.nextLong()).isEqualTo(6_457_827_717_110_365_317L);
        // 3203168211198807973 / 2^64 is 0.17364...
        assertThat(random.nextInt(1_000)).isEqualTo(173);
        // 9817491932198370423 / 2^64
        assertThat(random.nextDouble()).isEqualTo(0.5322073040624192);
        assertThat(random.nextInt()).isEqualTo((int) (4_593_380_528_125_082_431L >>> 32));
        assertThat(random.nextBoolean()).isTrue();
    }

    @Test
    void boundedDrawsStayInBoundsAndReachAllOfThem() {
        SeededRandom random = new SeededRandom(9);
        int[] counts = new int[7];
        for (int i = 0; i < 70_000; i++) {
            counts[random.nextInt(7)]++;
        }
        for (int count : counts) {
            assertThat(count).isBetween(9_500, 10_500);
        }
    }

    /** Some clients, each with some tasks, which do anything at random; one client crashes on the way. */
    private static final class Run {
        private final Simulation simulation;
        private final SimulatedCloud cloud;
        private final List<String> history = new ArrayList<>();

        Run(long seed, Profile profile, World world) {
            this.simulation = new Simulation(seed);
            this.cloud = new SimulatedCloud(simulation, profile, world);
        }

        List<String> history() {
            simulation.run(() -> {
                SimulatedClient main = simulation.client("main");
                List<Task<Boolean>> started = new ArrayList<>();
                for (int c = 0; c < CLIENTS; c++) {
                    started.addAll(start(simulation.client("client " + c)));
                }
                main.sleep(Duration.ofSeconds(main.random().nextInt(60)));
                simulation.client("client 0").crash();
                record("main", "crash", "client 0");
                for (Task<Boolean> task : started) {
                    record("main", "join", ended(task));
                }
                return true;
            });
            history.add("end at " + simulation.nowNanos() + " after " + simulation.wakeups());
            return history;
        }

        private static String ended(Task<Boolean> task) {
            try {
                return "ended " + task.join();
            } catch (CrashedException crashed) {
                return "crashed";
            }
        }

        private List<Task<Boolean>> start(SimulatedClient client) {
            Permits permits = new Permits(client, 2);
            List<Task<Boolean>> started = new ArrayList<>();
            for (int t = 0; t < TASKS; t++) {
                String actor = client.name() + " task " + t;
                started.add(client.start(actor, () -> new Worker(this, client, actor, permits).work()));
            }
            return started;
        }

        void record(String actor, String call, String result) {
            history.add(actor + " | " + call + " | " + simulation.nowNanos() + " | " + result);
        }
    }

    private static final class Worker {
        private final Run run;
        private final SimulatedClient client;
        private final String actor;
        private final Permits permits;
        private final ObjectStore objects;
        private final QueueService queues;
        private final List<Receipt> receipts = new ArrayList<>();
        private ObjectVersion known = new ObjectVersion("none");

        Worker(Run run, SimulatedClient client, String actor, Permits permits) {
            this.run = run;
            this.client = client;
            this.actor = actor;
            this.permits = permits;
            this.objects = run.cloud.objects(client);
            this.queues = run.cloud.queues(client);
        }

        void work() {
            for (int i = 0; i < CALLS; i++) {
                int what = client.random().nextInt(12);
                if (what == 0) {
                    permits.run(() -> attempt(3));
                } else {
                    attempt(what);
                }
            }
        }

        private void attempt(int what) {
            String result;
            try {
                result = call(what);
            } catch (StoreException failure) {
                result = failure.toString();
            }
            run.record(actor, "call " + what, result);
        }

        private String call(int what) {
            String key = "k" + client.random().nextInt(5);
            return switch (what) {
                case 1 -> objects.get(key).map(this::remember).toString();
                case 2 -> objects.put(key, body(), WriteCondition.ALWAYS).toString();
                case 3 -> objects.put(key, body(), WriteCondition.IF_ABSENT).toString();
                case 4 ->
                    objects.put(key, body(), WriteCondition.ifVersion(known)).toString();
                case 5 -> objects.list("k", "", 3).toString();
                case 6 -> {
                    objects.deleteAll(List.of(key, "k1"));
                    yield "deleted";
                }
                case 7 -> onQueue(queue -> queue.send(List.of(body(), body())).toString());
                case 8 -> onQueue(queue -> receive(queue, Duration.ZERO));
                case 9 -> onQueue(queue -> receive(queue, Duration.ofSeconds(2)));
                case 10 ->
                    onQueue(queue -> receipts.isEmpty()
                            ? "nothing to delete"
                            : queue.delete(List.of(receipts.removeFirst())).toString());
                default -> sometimesDropped(client.random().nextInt(20));
            };
        }

        private String remember(StoredObject object) {
            known = object.version();
            return object.body().toHex() + object;
        }

        private Bytes body() {
            return Bytes.utf8(actor + client.random().nextLong());
        }

        private String onQueue(Function<MessageQueue, String> use) {
            return use.apply(queues.create("q" + client.random().nextInt(2), QueueAttributes.STANDARD));
        }

        private String receive(MessageQueue queue, Duration wait) {
            int max = Math.min(5, queues.limits().batchEntries());
            return queue.receive(max, Duration.ofSeconds(20), wait).stream()
                    .map(delivery -> {
                        receipts.add(delivery.receipt());
                        return delivery + delivery.body().toHex();
                    })
                    .toList()
                    .toString();
        }

        private String sometimesDropped(int dice) {
            if (dice == 0) {
                queues.delete("q0");
                return "dropped";
            }
            client.sleep(Duration.ofMillis(dice));
            return queues.list("").toString();
        }
    }
}
