package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.task.Task;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that dies and one that comes after it, with default settings on servers: what the first had committed shows
 * within a stated time, to others and to its own restart.
 */
class RestartTest {
    /** The default of {@link Settings#deadAfter}. */
    private static final Duration DEAD_AFTER = Duration.ofMinutes(5);

    private static final Pattern HEARTBEAT = Pattern.compile("/clients/[0-9a-f]{16}$");

    private static final World LOSING_ANSWERS = new World(0, 1, 0, Duration.ZERO, 0, 0, Duration.ZERO);

    private static Settings settings(SimulatedStore cloud, String machine) {
        SimulatedClient client = cloud.machine(machine);
        return Settings.on(cloud.cloud.objects(client), cloud.cloud.queues(client), client)
                .level(ConsistencyLevel.ATOMIC);
    }

    /** With a layout whose senders read pages. */
    private static Settings perLeaf(SimulatedStore cloud, String machine) {
        return settings(cloud, machine).advanced(advanced -> advanced.layout(Layout.perLeaf()));
    }

    /** Commits k = value on a machine of its own, which crashes right after the acknowledgement. */
    private static void commitAndCrash(
            SimulatedStore cloud, String machine, Settings settings, ConsistencyLevel level, String value) {
        boolean[] acknowledged = {false};
        cloud.machine(machine).start("work", () -> {
            Penstock store = Penstock.open(settings.level(level));
            words(store).put("k", value);
            acknowledged[0] = true;
            cloud.machine(machine).crash();
        });
        while (!acknowledged[0]) {
            cloud.sleep(Duration.ofMillis(10));
        }
    }

    /** Three seeds for each level: the clients' pauses are drawn. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "SNAPSHOT", "SERIALIZABLE"})
    void anOpenClientFinishesTheWorkOfADeadOne(ConsistencyLevel level) {
        for (long seed = 1; seed <= 3; seed++) {
            String run = "seed=" + seed;
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                try (Penstock other = Penstock.open(settings(cloud, "other"))) {
                    assertThat(words(other).get("k")).isEmpty();
                    commitAndCrash(cloud, "dead", settings(cloud, "dead"), level, "there");
                    cloud.sleep(DEAD_AFTER.multipliedBy(2));
                    assertThat(words(other).get("k")).as(run).contains("there");
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "SNAPSHOT", "SERIALIZABLE"})
    void aRestartBeforeTheClientCountsAsDeadFinishesItsWorkLater(ConsistencyLevel level) {
        for (long seed = 1; seed <= 3; seed++) {
            String run = "seed=" + seed;
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                commitAndCrash(cloud, "dead", settings(cloud, "dead"), level, "there");
                cloud.sleep(Duration.ofSeconds(10));
                try (Penstock again = Penstock.open(settings(cloud, "again"))) {
                    cloud.sleep(DEAD_AFTER.multipliedBy(2));
                    assertThat(words(again).get("k")).as(run).contains("there");
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "SNAPSHOT", "SERIALIZABLE"})
    void aClientWithANameReadsAtOnceWhatItsPredecessorCommitted(ConsistencyLevel level) {
        new SimulatedStore(7, World.CALM).run(cloud -> {
            for (int life = 0; life < 5; life++) {
                String machine = "life" + life;
                Settings named = settings(cloud, machine).clientName("shop-0");
                commitAndCrash(cloud, machine, named, level, machine);
                cloud.sleep(Duration.ofSeconds(1));
                try (Penstock next =
                        Penstock.open(settings(cloud, machine + "b").clientName("shop-0"))) {
                    assertThat(words(next).get("k")).contains(machine);
                }
            }
        });
    }

    /** The successor does not learn at once that its predecessor is retired now. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "SNAPSHOT", "SERIALIZABLE"})
    void aClientWithANameReadsItThoughAnAnswerIsLost(ConsistencyLevel level) {
        new SimulatedStore(7, World.CALM).run(cloud -> {
            commitAndCrash(cloud, "first", settings(cloud, "first").clientName("shop-0"), level, "there");
            AtomicInteger lost = new AtomicInteger();
            cloud.cloud.watch((step, client, call, on, outcome) -> {
                boolean first = HEARTBEAT.matcher(on).find() && lost.get() == 0;
                if (first && call.equals("get") && step == CallWatcher.Step.BEGINS) {
                    cloud.cloud.setWorld(LOSING_ANSWERS); // of the calls after this one
                } else if (first && call.equals("put") && step == CallWatcher.Step.LOST) {
                    cloud.cloud.setWorld(World.CALM);
                    lost.incrementAndGet();
                }
            });
            try (Penstock next = Penstock.open(settings(cloud, "next").clientName("shop-0"))) {
                assertThat(lost).hasValue(1);
                assertThat(words(next).get("k")).contains("there");
            }
        });
    }

    /** The servers have handed out what the predecessor left, and hide it for half a minute. */
    @Test
    void aClientWithANameWaitsForWhatALostAnswerHides() {
        new SimulatedStore(7, World.CALM).run(cloud -> {
            Settings named = settings(cloud, "first").clientName("shop-0");
            commitAndCrash(cloud, "first", named, ConsistencyLevel.ATOMIC, "there");
            AtomicInteger lost = new AtomicInteger();
            cloud.cloud.watch((step, client, call, on, outcome) -> {
                boolean first = on.startsWith("penstock-at-") && lost.get() == 0;
                if (first && call.equals("queue depth") && step == CallWatcher.Step.DONE) {
                    cloud.cloud.setWorld(LOSING_ANSWERS); // of the receive after it
                } else if (first && call.equals("receive") && step == CallWatcher.Step.LOST) {
                    cloud.cloud.setWorld(World.CALM);
                    lost.incrementAndGet();
                }
            });
            try (Penstock next = Penstock.open(settings(cloud, "next").clientName("shop-0"))) {
                assertThat(lost).hasValue(1);
                assertThat(words(next).get("k")).contains("there");
            }
        });
    }

    /** The successor forwards and has read the pages for that; another client applies, and the pages look young. */
    @Test
    void aClientWithANameReadsWhatAnotherHasApplied() {
        for (long seed = 1; seed <= 10; seed++) {
            String run = "seed=" + seed;
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                try (Penstock other = Penstock.open(perLeaf(cloud, "other"))) {
                    words(other).put("k", "old");
                    other.admin().checkpoint();
                    Settings named = perLeaf(cloud, "first").clientName("shop-0");
                    commitAndCrash(cloud, "first", named, ConsistencyLevel.ATOMIC, "new");
                    boolean[] opened = {false};
                    Task<Boolean> applying = cloud.machine("other").start("applying", () -> {
                        while (!opened[0]) {
                            other.admin().checkpoint();
                            cloud.machine("other").sleep(Duration.ofMillis(20));
                        }
                    });
                    try (Penstock next = Penstock.open(perLeaf(cloud, "next").clientName("shop-0"))) {
                        assertThat(words(next).get("k")).as(run).contains("new");
                    } finally {
                        opened[0] = true;
                        applying.join();
                    }
                }
            });
        }
    }

    /**
     * Two clients of one name recover each other while both are alive: nothing is lost, and no transaction is applied
     * in part.
     */
    @Test
    void twoClientsOfOneNameLoseNothing() {
        for (long seed = 1; seed <= 5; seed++) {
            String run = "seed=" + seed;
            new SimulatedStore(seed, World.ROUGH).run(cloud -> {
                try (Penstock first = Penstock.open(settings(cloud, "a").clientName("twin"))) {
                    for (int i = 0; i < 20; i++) {
                        words(first).put("k" + i, "first");
                    }
                    try (Penstock second = Penstock.open(settings(cloud, "b").clientName("twin"))) {
                        for (int i = 20; i < 40; i++) {
                            words(first).put("k" + i, "first");
                            words(second).put("m" + i, "second");
                        }
                    }
                }
                cloud.cloud.setWorld(World.CALM);
                try (Penstock heir = cloud.open("heir")) {
                    SimulatedStore.settle(heir, cloud.machine("heir"));
                    assertThat(SimulatedStore.content(heir)).as(run).hasSize(60);
                }
            });
        }
    }

    /** Of ten clients one sweeps each time, and a store at rest costs each of them little. */
    @Test
    void clientsTakeTurnsAtSweeping() {
        new SimulatedStore(3, World.CALM).run(cloud -> {
            MeterRegistry meters = new SimpleMeterRegistry();
            List<Penstock> clients = IntStream.range(0, 10)
                    .mapToObj(i -> Penstock.open(settings(cloud, "c" + i).meters(meters)))
                    .toList();
            cloud.sleep(Duration.ofHours(5));
            // One turn each 420 s, and a little later for the random part of the pauses.
            assertThat(requests(meters, "s3.list")).isBetween(40.0, 46.0);
            assertThat(requests(meters, "s3.put"))
                    .as("with those that came second")
                    .isBetween(40.0, 60.0);
            assertThat(requests(meters, "s3.get")).isLessThan(10 * 2.2 * 46);
            clients.forEach(Penstock::close);
        });
    }

    private static double requests(MeterRegistry meters, String operation) {
        return meters.find("penstock.requests").tag("op", operation).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    @Test
    void aClientThatDoesNotSweepRecoversOnceWhenItOpens() {
        new SimulatedStore(4, World.CALM).run(cloud -> {
            commitAndCrash(cloud, "dead", settings(cloud, "dead"), ConsistencyLevel.ATOMIC, "there");
            try (Penstock early =
                    Penstock.open(settings(cloud, "early").advanced(advanced -> advanced.sweeping(false)))) {
                cloud.sleep(Duration.ofHours(1));
                assertThat(words(early).get("k")).isEqualTo(Optional.empty());
            }
            try (Penstock late =
                    Penstock.open(settings(cloud, "late").advanced(advanced -> advanced.sweeping(false)))) {
                cloud.sleep(Duration.ofMinutes(1));
                assertThat(words(late).get("k")).contains("there");
            }
        });
    }
}
