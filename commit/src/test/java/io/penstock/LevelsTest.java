package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.task.Task;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every level, end to end: several clients write their own keys; in the end everything is there. */
class LevelsTest {
    private static final int CLIENTS = 4;
    private static final int TRANSACTIONS = 40;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NAIVE")
    void whatIsAcknowledgedIsThereInTheEnd(ConsistencyLevel level) {
        for (long seed = 1; seed <= 4; seed++) {
            run(level, seed, World.CALM, Layout.partitioned(1));
            run(level, seed, World.ROUGH, Layout.partitioned(2));
            run(level, seed, World.ROUGH, Layout.perLeaf());
        }
    }

    private void run(ConsistencyLevel level, long seed, World world, Layout layout) {
        Simulation simulation = new Simulation(seed);
        SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, world);
        String run = "seed=" + seed + " level=" + level + " layout=" + layout;
        simulation.run(() -> {
            Map<String, String> acknowledged = new HashMap<>();
            List<Task<Boolean>> tasks = new ArrayList<>();
            for (int c = 0; c < CLIENTS; c++) {
                int number = c;
                SimulatedClient machine = simulation.client("client-" + c);
                tasks.add(machine.start("workload", () -> work(cloud, machine, number, level, layout, acknowledged)));
            }
            tasks.forEach(Task::join);
            cloud.setWorld(World.CALM);
            verify(cloud, simulation.client("verifier"), acknowledged, run);
            return true;
        });
    }

    private static Settings settings(SimulatedCloud cloud, SimulatedClient machine) {
        return Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                .level(ConsistencyLevel.ATOMIC)
                .advanced(advanced -> advanced.sweeping(false))
                .pageBytes(1024);
    }

    private static void work(
            SimulatedCloud cloud,
            SimulatedClient machine,
            int number,
            ConsistencyLevel level,
            Layout layout,
            Map<String, String> acknowledged) {
        Settings settings = settings(cloud, machine).level(level).advanced(advanced -> advanced.layout(layout));
        try (Penstock store = Penstock.open(settings)) {
            RecordCollection<String, String> words = store.collection("words", Keys.string(), Json.of(String.class));
            for (int i = 0; i < TRANSACTIONS; i++) {
                Map<String, String> written = new HashMap<>();
                try {
                    int round = i;
                    store.transact(tx -> {
                        for (int k = 0; k < 3; k++) {
                            String key = "c" + number + "-" + (round * 7 + k * 3) % 50;
                            String value = "value " + round + "." + k;
                            tx.put(words, key, value);
                            written.put(key, value);
                        }
                        return true;
                    });
                    acknowledged.putAll(written);
                } catch (io.penstock.core.OutcomeUnknownException | io.penstock.core.UnavailableException e) {
                    written.keySet().forEach(acknowledged::remove);
                    written.keySet().forEach(key -> acknowledged.put(key, "?"));
                }
                if (StoreProbe.keepsSession(store, level)) {
                    String last = "c" + number + "-" + (i * 7) % 50;
                    String expected = acknowledged.get(last);
                    if (!"?".equals(expected)) {
                        assertThat(words.get(last)).as("read your writes").hasValue(expected);
                    }
                }
            }
        }
    }

    private static void drain(Penstock store, SimulatedClient machine) {
        for (int i = 0; i < 20 && store.admin().backlog().total() > 0; i++) {
            store.admin().recover();
            store.admin().checkpoint();
            machine.sleep(java.time.Duration.ofSeconds(10));
        }
    }

    private static void verify(
            SimulatedCloud cloud, SimulatedClient machine, Map<String, String> acknowledged, String run) {
        try (Penstock store =
                Penstock.open(settings(cloud, machine).anyHeartbeat().deadAfter(java.time.Duration.ofSeconds(1)))) {
            machine.sleep(java.time.Duration.ofMinutes(2));
            store.admin().recover();
            drain(store, machine);
            if (store.admin().backlog().total() > 0) {
                // The parts of incomplete transactions stay until their queue forgets them.
                machine.sleep(java.time.Duration.ofDays(15));
                drain(store, machine);
            }
            assertThat(store.admin().backlog().total()).as(run).isZero();
            assertThat(StoreProbe.faults(store)).as(run).isEmpty();
            Map<String, String> found = new HashMap<>();
            RecordCollection<String, String> words = store.collection("words", Keys.string(), Json.of(String.class));
            try (Scan<Entry<String, String>> scan = words.scan(KeySpan.all())) {
                scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
            }
            acknowledged.forEach((key, value) -> {
                if (!value.equals("?")) {
                    assertThat(found).as(run).containsEntry(key, value);
                }
            });
        }
    }
}
