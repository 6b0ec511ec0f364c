package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.commit.client.Identity;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.task.Task;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two processes that believe to be one, as after a snapshot of a machine was started twice: what each was acknowledged
 * is kept. It was deleted unapplied, since the ledger took the second's commits for repeats of the first's.
 */
class ClonedClientsTest {
    /** The label of the meters, the jitter of sweeps and the id are drawn first. */
    private static final int DRAWS = 2;

    private static Settings settings(SimulatedStore cloud, String machine, long seed, int draws) {
        SimulatedClient client = cloud.machine(machine);
        return Settings.on(cloud.cloud.objects(client), cloud.cloud.queues(client), new TwinTasks(client, seed, draws))
                .level(ConsistencyLevel.ATOMIC)
                .pageBytes(1024)
                .advanced(advanced -> advanced.sweeping(false));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "SNAPSHOT", "SERIALIZABLE"})
    void bothKeepWhatTheyWereAcknowledged(ConsistencyLevel level) {
        for (long seed = 1; seed <= 5; seed++) {
            long drawn = seed;
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                Settings a = settings(cloud, "a", drawn, Integer.MAX_VALUE).level(level);
                Settings b = settings(cloud, "b", drawn, Integer.MAX_VALUE).level(level);
                try (Penstock first = Penstock.open(a);
                        Penstock second = Penstock.open(b)) {
                    words(first).put("from-a", "1");
                    first.admin().checkpoint();
                    words(second).put("from-b", "1");
                    cloud.sleep(Duration.ofMinutes(2));
                }
                try (Penstock heir = cloud.open("heir")) {
                    SimulatedStore.settle(heir, cloud.machine("heir"));
                    assertThat(SimulatedStore.content(heir))
                            .as("seed=%d", drawn)
                            .containsKeys("from-a", "from-b");
                }
            });
        }
    }

    /** They have drawn the same id, and no more in common. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "SNAPSHOT", "SERIALIZABLE"})
    void theSecondFindsTheFirstBeforeItSendsAnything(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            cloud.open("founder").close();
            MeterRegistry meters = new SimpleMeterRegistry();
            try (Penstock first = Penstock.open(settings(cloud, "a", 1, DRAWS).level(level));
                    Penstock second = Penstock.open(
                            settings(cloud, "b", 1, DRAWS).level(level).meters(meters))) {
                ClientId drawn = second.clientId();
                assertThat(first.clientId()).isEqualTo(drawn);
                words(first).put("from-a", "1");
                words(second).put("from-b", "1");
                assertThat(first.clientId()).isEqualTo(drawn);
                assertThat(second.clientId()).isNotEqualTo(drawn);
                assertThat(meters.find("penstock.identity.twins")
                                .functionCounter()
                                .count())
                        .isEqualTo(1);
            }
            assertThat(cloud.keys("clients/")).isEmpty();
            assertThat(cloud.queues("at-")).isEmpty();
        });
    }

    /** A clone closes while the other has committed something to the queue of both. */
    @Test
    void whoClosesLeavesTheQueueOfTheOther() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings quiet =
                    settings(cloud, "a", 1, DRAWS).advanced(advanced -> advanced.forwardInterval(Duration.ofHours(1)));
            Penstock clone = Penstock.open(quiet);
            words(clone).put("k", "1");
            Identity shared = clone.engine().membership().heartbeat().current().orElseThrow();
            // The other gives a heartbeat for both.
            cloud.objects()
                    .put(
                            "penstock/clients/" + shared.client().hex(),
                            Bytes.utf8("{\"state\":\"alive\",\"beat\":\"of the other\"}"),
                            WriteCondition.ALWAYS);
            clone.close();
            assertThat(cloud.queues("at-")).hasSize(1);
            assertThat(cloud.keys("clients/" + shared.client().hex())).hasSize(1);
        });
    }

    /**
     * Two clones use one queue until the next heartbeat. One of them dies before; the other has come by a part of its
     * transaction, and closes. Seed 8479820 of the simulation.
     */
    @Test
    void whoSawATransactionOfTheOtherLeavesTheQueue() {
        World missing = new World(0, 0, 0, Duration.ZERO, 0, 0.5, Duration.ZERO);
        for (long seed = 1; seed <= 40; seed++) {
            long drawn = seed;
            new SimulatedStore(seed, missing).run(cloud -> {
                Penstock.open(cloud.settings("founder")).close();
                Penstock clone = Penstock.open(settings(cloud, "a", drawn, Integer.MAX_VALUE));
                Penstock other = Penstock.open(settings(cloud, "b", drawn, Integer.MAX_VALUE)
                        .advanced(advanced -> advanced.forwardInterval(Duration.ofHours(1))));
                words(other).put("from-b", "1");
                words(clone).put("from-a", "1");
                words(other).put("more-from-b", "2");
                cloud.machine("b").crash();
                clone.close();
                cloud.sleep(Duration.ofMinutes(30));
                try (Penstock heir = cloud.open("heir")) {
                    SimulatedStore.settle(heir, cloud.machine("heir"));
                    cloud.sleep(Duration.ofMinutes(80)); // then order is given up
                    SimulatedStore.settle(heir, cloud.machine("heir"));
                    assertThat(SimulatedStore.content(heir))
                            .as("seed=%d", drawn)
                            .containsKeys("from-a", "from-b", "more-from-b");
                }
            });
        }
    }

    /** What the other has committed is forwarded by who finds it, but the other may be about to commit more. */
    @Test
    void whoForwardedForTheOtherLeavesTheQueue() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Penstock.open(cloud.settings("founder")).close();
            Penstock clone = Penstock.open(settings(cloud, "a", 1, Integer.MAX_VALUE));
            Penstock other = Penstock.open(settings(cloud, "b", 1, Integer.MAX_VALUE)
                    .advanced(advanced -> advanced.forwardInterval(Duration.ofHours(1))));
            words(other).put("from-b", "1");
            words(clone).put("from-a", "1");
            cloud.machine("b").crash();
            clone.close();
            assertThat(cloud.queues("at-")).hasSize(1);
            assertThat(cloud.keys("clients/" + clone.clientId().hex())).hasSize(1);
        });
    }

    /** A clone that never had a queue meets the mark of the other, which died and left a commit in its queue. */
    @Test
    void whoWasTakenOverLeavesTheQueueOfTheOther() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            cloud.open("founder").close();
            Penstock other = Penstock.open(
                    settings(cloud, "a", 1, DRAWS).advanced(advanced -> advanced.forwardInterval(Duration.ofHours(1))));
            Penstock clone = Penstock.open(settings(cloud, "b", 1, DRAWS));
            ClientId shared = other.clientId();
            assertThat(clone.clientId()).isEqualTo(shared);
            words(other).put("from-a", "1");
            cloud.machine("a").crash();
            cloud.objects()
                    .put(
                            "penstock/clients/" + shared.hex(),
                            Bytes.utf8("{\"state\":\"retired\"}\n"),
                            WriteCondition.ALWAYS);
            words(clone).put("from-b", "1");
            clone.close();
            assertThat(cloud.keys("clients/" + shared.hex())).hasSize(1);
            try (Penstock heir = cloud.open("heir")) {
                SimulatedStore.settle(heir, cloud.machine("heir"));
                assertThat(SimulatedStore.content(heir)).containsKeys("from-a", "from-b");
            }
        });
    }

    /** After its freeze the client must not go on with the id that others have taken for dead. */
    @Test
    void aWokenClientGoesOnUnderAnotherId() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("sleeper");
            List<ClientId> ids = new ArrayList<>();
            Task<Boolean> work = machine.start("work", () -> {
                try (Penstock sleeper = cloud.open("sleeper")) {
                    ids.add(sleeper.transact(tx -> {
                        tx.put(words(sleeper), "k", "1");
                        return sleeper.clientId();
                    }));
                    machine.freeze(Duration.ofMinutes(10));
                    machine.sleep(Duration.ofMillis(1));
                    words(sleeper).put("m", "2");
                    ids.add(sleeper.clientId());
                }
            });
            cloud.sleep(Duration.ofMinutes(8));
            try (Penstock heir = cloud.open("heir")) {
                heir.admin().recover();
                work.join();
                heir.admin().checkpoint();
                assertThat(ids).hasSize(2).doesNotHaveDuplicates();
                assertThat(SimulatedStore.content(heir)).hasSize(2);
            }
        });
    }
}
