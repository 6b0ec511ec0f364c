package io.penstock;

import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.StoredObject;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueService;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A simulated cloud, and machines with clients of one store, for tests that control what happens in them. */
final class SimulatedStore {
    final Simulation simulation;
    final SimulatedCloud cloud;

    SimulatedStore(long seed, World world) {
        this(seed, Profile.AWS_2026, world);
    }

    SimulatedStore(long seed, Profile profile, World world) {
        simulation = new Simulation(seed);
        cloud = new SimulatedCloud(simulation, profile, world);
    }

    /** Runs {@code body} as the first actor. */
    void run(Consumer<SimulatedStore> body) {
        simulation.run(() -> {
            body.accept(this);
            return true;
        });
    }

    SimulatedClient machine(String name) {
        return simulation.client(name);
    }

    ObjectStore objects() {
        return cloud.objects(machine("main"));
    }

    QueueService queues() {
        return cloud.queues(machine("main"));
    }

    /** Small pages, queues, and no sweeps: what is done for dead clients is done by the test. */
    Settings settings(String machine) {
        SimulatedClient client = machine(machine);
        return Settings.on(cloud.objects(client), cloud.queues(client), client)
                .level(ConsistencyLevel.ATOMIC)
                .pageBytes(1024)
                .advanced(advanced -> advanced.sweeping(false));
    }

    Penstock open(String machine) {
        return Penstock.open(settings(machine));
    }

    void sleep(Duration duration) {
        machine("main").sleep(duration);
    }

    long seconds() {
        return simulation.nowNanos() / 1_000_000_000L;
    }

    static RecordCollection<String, String> words(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    static Map<String, String> content(Penstock store) {
        Map<String, String> found = new TreeMap<>();
        // As a page, which is read again where others change what it has.
        words(store).scan(KeySpan.all()).page().records().forEach(entry -> found.put(entry.key(), entry.value()));
        return found;
    }

    /** The queues whose name starts with {@code penstock-}{@code kind}, such as {@code pu-}. */
    List<MessageQueue> queues(String kind) {
        return queues().list("penstock-" + kind).stream()
                .map(name -> queues().find(name).orElseThrow())
                .toList();
    }

    long depth(String kind) {
        return queues(kind).stream().mapToLong(queue -> queue.depth().total()).sum();
    }

    List<String> keys(String prefix) {
        return objects().list("penstock/" + prefix, "", 1000).entries().stream()
                .map(entry -> entry.key())
                .toList();
    }

    Bytes object(String key) {
        return objects().get(key).map(StoredObject::body).orElseThrow();
    }

    /** Lets a new client finish all pending work: it recovers dead clients and checkpoints until nothing is pending. */
    static void settle(Penstock store, SimulatedClient machine) {
        store.admin().recover();
        for (int i = 0; i < 60 && store.admin().backlog().total() > 0; i++) {
            store.admin().checkpoint();
            machine.sleep(Duration.ofSeconds(10));
            store.admin().recover();
        }
    }
}
