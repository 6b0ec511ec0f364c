package io.penstock.commit.simulation.episode;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.penstock.ConsistencyLevel;
import io.penstock.Entry;
import io.penstock.Json;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Settings;
import io.penstock.commit.simulation.promise.AcknowledgedWritesSurvive;
import io.penstock.commit.simulation.promise.Promises;
import io.penstock.core.task.Task;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.CrashedException;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The servers and machines of an episode: in calm weather, with today's latencies and the settings a user gets. */
final class Stage {
    private static final String PREFIX = "penstock/";

    /** By then what a dead client has left is seen, whoever is there. */
    static final Duration RECOVERED = Duration.ofMinutes(11);

    final ConsistencyLevel level;
    final SplittableRandom random;
    final SimulatedCloud cloud;
    private final Simulation simulation;
    private final Map<String, Integer> calls = new TreeMap<>();

    Stage(long seed, ConsistencyLevel level, SplittableRandom random, CallWatcher watcher) {
        this.level = level;
        this.random = random;
        this.simulation = new Simulation(seed);
        this.cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
        cloud.watch((step, client, call, on, outcome) -> {
            if (step == CallWatcher.Step.BEGINS) {
                calls.merge(client.name(), 1, Integer::sum);
            }
            watcher.see(step, client, call, on, outcome);
        });
    }

    <T> T run(Supplier<T> body) {
        return simulation.run(body);
    }

    SimulatedClient machine(String name) {
        return simulation.client(name);
    }

    /** The requests of a machine so far. */
    int calls(String machine) {
        return calls.getOrDefault(machine, 0);
    }

    void sleep(Duration duration) {
        machine("main").sleep(duration);
    }

    /** Whether the level loses nothing that it has acknowledged. */
    boolean keepsAll() {
        return Promises.of(level).stream().anyMatch(AcknowledgedWritesSurvive.class::isInstance);
    }

    /** What is missing among so many commits of one key each, if the level promises them. */
    void checkSeen(List<String> violations, Penstock store, int commits) {
        int seen = content(store).size();
        if (keepsAll() && seen != commits) {
            violations.add("of " + commits + " commits " + seen + " are seen");
        }
    }

    Duration now() {
        return Duration.ofNanos(simulation.nowNanos());
    }

    /** From a little to {@code most}, short as often as long. */
    Duration drawn(Duration most) {
        return Duration.ofMillis((long) StrictMath.exp(random.nextDouble() * StrictMath.log(most.toMillis())));
    }

    Settings settings(SimulatedClient machine) {
        return settings(Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                .level(ConsistencyLevel.ATOMIC));
    }

    Settings settings(Settings plain) {
        return plain.level(level).meters(new CompositeMeterRegistry());
    }

    Penstock open(String machine) {
        return Penstock.open(settings(machine(machine)));
    }

    static RecordCollection<String, String> words(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    static Map<String, String> content(Penstock store) {
        Map<String, String> found = new TreeMap<>();
        try (Scan<Entry<String, String>> scan = words(store).scan(KeySpan.all())) {
            scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
        }
        return found;
    }

    /** The objects whose keys begin so, behind the prefix of the store. */
    List<String> keys(String prefix) {
        return cloud.objects(machine("main")).list(PREFIX + prefix, "", 1000).entries().stream()
                .map(entry -> entry.key())
                .toList();
    }

    /** The queues whose names begin so, behind the prefix of the store. */
    List<String> queues(String prefix) {
        return cloud.queues(machine("main")).list("penstock-" + prefix);
    }

    /** Waits until a task is done or its machine has crashed. */
    static void await(Task<Boolean> task) {
        try {
            task.join();
        } catch (CrashedException crashed) {
            // As the episode wants it.
        }
    }
}
