package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.StoreException;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The example of docs/TESTKIT.md: a program on a simulated cloud, with faults and a crash. */
class TestkitPageTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 20);
    }

    // example
    @ParameterizedTest
    @MethodSource("seeds")
    void noMoneyIsLostByACrash(long seed) {
        Simulation simulation = new Simulation(seed);
        SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
        Map<String, Integer> found = simulation.run(() -> {
            SimulatedClient worker = simulation.client("worker");
            SimulatedClient judge = simulation.client("judge");
            try (Penstock store = open(cloud, judge)) {
                accounts(store).put("ann", 100);
                accounts(store).put("bob", 100);
                cloud.setWorld(World.ROUGH);
                worker.startThread("transfers", () -> transferForever(open(cloud, worker)));
                judge.sleep(Duration.ofMillis(judge.random().nextLong(10_000)));
                worker.crash();
                cloud.setWorld(World.CALM);
                return store.read(tx -> tx.getAll(accounts(store), List.of("ann", "bob")));
            }
        });
        assertThat(found.get("ann") + found.get("bob")).as("seed %d", seed).isEqualTo(200);
    }

    static Penstock open(SimulatedCloud cloud, SimulatedClient machine) {
        return Penstock.open(Settings.on(cloud.objects(machine), cloud.queues(machine), machine));
    }

    static RecordCollection<String, Integer> accounts(Penstock store) {
        return store.collection("accounts", Keys.string(), Json.of(Integer.class));
    }

    static void transferForever(Penstock store) {
        while (true) {
            try {
                store.transact(tx -> {
                    tx.put(
                            accounts(store),
                            "ann",
                            tx.get(accounts(store), "ann").orElseThrow() - 1);
                    tx.put(
                            accounts(store),
                            "bob",
                            tx.get(accounts(store), "bob").orElseThrow() + 1);
                    return true;
                });
            } catch (StoreException retryLater) {
                // The next transfer tries anew; whether this one took place is for the judge to see.
            }
        }
    }
    // end

    @Test
    void thePageShowsIt() throws IOException {
        String source = read("commit/src/test/java/io/penstock/TestkitPageTest.java");
        String example = source.substring(
                source.indexOf("    // example\n") + "    // example\n".length(), source.indexOf("    // end\n"));
        assertThat(read("docs/TESTKIT.md")).contains("```java\n" + example.indent(-4) + "```\n");
    }

    private static String read(String file) throws IOException {
        Path here = Path.of(file);
        return Files.readString(Files.exists(here) ? here : Path.of("..").resolve(file));
    }
}
