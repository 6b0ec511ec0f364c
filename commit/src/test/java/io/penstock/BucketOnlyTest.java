package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.WriteCondition;
import io.penstock.testkit.CallWatcher.Step;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store without queues: a bucket is all it has. In virtual time. */
class BucketOnlyTest {
    private final Simulation simulation = new Simulation(1);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
    private final List<String> calls = new ArrayList<>();
    private int machines;

    private SimulatedClient machine() {
        return simulation.client("m" + machines++);
    }

    private Settings bucket(SimulatedClient machine) {
        return Settings.on(cloud.objects(machine), machine);
    }

    private Settings queued(SimulatedClient machine) {
        return Settings.on(cloud.objects(machine), cloud.queues(machine), machine);
    }

    private static RecordCollection<String, Long> counters(Penstock store) {
        return store.collection("counters", Keys.string(), Json.of(Long.class));
    }

    private void run(Runnable work) {
        cloud.watch((step, client, call, on, outcome) -> {
            if (step == Step.DONE) {
                calls.add(call + " " + on);
            }
        });
        simulation.run(() -> {
            work.run();
            return true;
        });
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"SNAPSHOT", "SERIALIZABLE"})
    void weakerLevelsAreRefusedAtOnce(ConsistencyLevel level) {
        run(() -> {
            assertThatThrownBy(() -> Penstock.open(bucket(machine()).level(level)))
                    .is(code(ErrorCode.NEEDS_QUEUES))
                    .hasMessageContaining("SNAPSHOT and SERIALIZABLE");
            assertThat(calls).isEmpty();
            Penstock store = Penstock.open(bucket(machine()));
            assertThatThrownBy(() -> store.begin(level)).is(code(ErrorCode.NEEDS_QUEUES));
            assertThatThrownBy(() -> store.transact(level, transaction -> true)).is(code(ErrorCode.NEEDS_QUEUES));
        });
    }

    @Test
    void storeWithQueuesIsNotOpenedWithout() {
        run(() -> {
            Penstock.open(queued(machine())).close();
            assertThatThrownBy(() -> Penstock.open(bucket(machine())))
                    .is(code(ErrorCode.NEEDS_QUEUES))
                    .hasMessageContaining("open it with its queue service");
        });
    }

    @Test
    void storeWithoutQueuesIsNotOpenedWithThem() {
        run(() -> {
            Penstock.open(bucket(machine())).close();
            assertThatThrownBy(() -> Penstock.open(queued(machine())))
                    .is(code(ErrorCode.INVALID_SETTING))
                    .hasMessageContaining("open it without a queue service");
        });
    }

    @Test
    void collectionsStayInDomains() {
        run(() -> {
            Penstock store = Penstock.open(bucket(machine()));
            counters(store).put("a", 1L);
            assertThatThrownBy(() -> store.admin().moveOut("counters", step -> {}))
                    .is(code(ErrorCode.NEEDS_QUEUES));
            assertThat(counters(store).get("a")).contains(1L);
        });
    }

    /** Nothing runs that such a store does not need: no heartbeats, no sweeps. */
    @Test
    void idleHandleAsksForNothing() {
        run(() -> {
            Penstock first = Penstock.open(bucket(machine()));
            counters(first).put("a", 1L);
            first.close();
            calls.clear();
            SimulatedClient machine = machine();
            Penstock store = Penstock.open(bucket(machine));
            assertThat(calls).hasSize(1);
            assertThat(counters(store).get("a")).contains(1L);
            assertThat(calls).hasSizeLessThanOrEqualTo(8).noneMatch(call -> call.contains("/clients/"));
            counters(store).put("a", 2L);
            machine.sleep(Duration.ofHours(1));
            calls.clear();
            machine.sleep(Duration.ofDays(1));
            assertThat(calls).isEmpty();
            store.ping();
            store.admin().verify();
            assertThat(calls).noneMatch(call -> call.contains("queue") || call.startsWith("receive"));
        });
    }

    /** Without queues losers hand in to a folder, and the winner puts for them. */
    @Test
    void manyClientsOfOneCounterCountRightAndNobodyStarves() {
        run(() -> {
            int clients = 8;
            long[] done = new long[clients];
            for (int i = 0; i < clients; i++) {
                int number = i;
                SimulatedClient machine = machine();
                RecordCollection<String, Long> counters = counters(Penstock.open(bucket(machine)));
                machine.start("user", () -> {
                    while (done[number] >= 0) {
                        counters.update("own" + number, n -> Optional.of(n.orElse(0L) + 1));
                        done[number]++;
                    }
                });
            }
            SimulatedClient clock = simulation.client("clock");
            clock.sleep(Duration.ofSeconds(40));
            long[] counted = done.clone();
            RecordCollection<String, Long> counters = counters(Penstock.open(bucket(machine())));
            for (int i = 0; i < clients; i++) {
                assertThat(counters.get("own" + i).orElseThrow()).isGreaterThanOrEqualTo(counted[i]);
            }
            double mean = Arrays.stream(counted).average().orElseThrow();
            assertThat(Arrays.stream(counted).min().orElseThrow()).isGreaterThan((long) (mean / 4));
            assertThat(calls).anyMatch(call -> call.startsWith("put penstock/log/main/+"));
            // One put at a time takes 98 ms: alone in a segment, all would have had 400 in this time.
            assertThat(Arrays.stream(counted).sum()).isGreaterThan(600);
        });
    }

    @Test
    void handedInTransactionsOfTheDeadAreRemoved() {
        run(() -> {
            SimulatedClient machine = machine();
            Penstock store = Penstock.open(bucket(machine).logRetention(Duration.ofHours(1)));
            counters(store).put("a", 1L);
            cloud.objects(machine)
                    .put(
                            "penstock/log/main/+0000000000000001-0000000000000002",
                            Bytes.utf8("of a client that died"),
                            WriteCondition.ALWAYS);
            machine.sleep(Duration.ofHours(3));
            counters(store).put("a", 2L);
            machine.sleep(Duration.ofHours(3));
            counters(store).put("a", 3L);
            machine.sleep(Duration.ofHours(1));
            assertThat(ObjectStores.listAll(cloud.objects(machine), "penstock/log/main/+"))
                    .isEmpty();
        });
    }
}
