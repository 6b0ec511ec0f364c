package io.penstock.bench.experiment.damage;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.sim.CallWatcher;
import io.penstock.core.sim.Profile;
import io.penstock.core.sim.SimulatedClient;
import io.penstock.core.sim.SimulatedCloud;
import io.penstock.core.sim.Simulation;
import io.penstock.core.sim.Tampering;
import io.penstock.core.sim.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A small store with a bit of everything: applied records on pages of several levels, an index, large payloads, older
 * versions of all, log records that wait in queues of the living and of the dead, a checkpoint that died in the middle,
 * a message in quarantine and parked records. Always the same one, to the byte.
 */
final class Specimen {
    static final Duration DEAD_AFTER = Duration.ofMinutes(5);
    private static final String PREFIX = "penstock/";
    private static final int BOOKS = 48;
    private static final int AUTHORS = 7;
    private static final int FILES = 4;

    private final Simulation simulation = new Simulation(1);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.INSTANT, World.CALM);
    private final Map<String, List<Bytes>> versions = new TreeMap<>();
    private final Shop.Content content = new Shop.Content();
    private int machines;
    private @Nullable SimulatedClient stricken;
    private int putsLeft;

    private Specimen() {}

    /** Makes the store, and shows it to {@code work} within its simulation. */
    static void make(Consumer<Specimen> work) {
        Specimen specimen = new Specimen();
        specimen.simulation.run(() -> {
            specimen.cloud.watch(specimen::see);
            specimen.fill();
            work.accept(specimen);
            return true;
        });
    }

    /** What the store must read as. */
    Shop.Content content() {
        return content;
    }

    /** All contents that each object has had, the present one last; an object that is gone is left out. */
    Map<String, List<Bytes>> versions() {
        Map<String, List<Bytes>> present = new TreeMap<>(versions);
        present.keySet().removeIf(key -> cloud.newest(key).isEmpty());
        return present;
    }

    ObjectStore objects() {
        return cloud.objects(machine("hand"));
    }

    void tamper(Tampering tampering) {
        cloud.tamper(tampering);
    }

    /** The messages of all queues in their order. */
    List<Bytes> messages() {
        List<Bytes> bodies = new ArrayList<>();
        cloud.tamper((queue, body, receives) -> {
            bodies.add(body);
            return Optional.of(body);
        });
        return bodies;
    }

    void sleep(Duration duration) {
        machine("hand").sleep(duration);
    }

    /** The settings of a client on a machine of its own. */
    Settings settings() {
        SimulatedClient machine = machine("m" + machines++);
        return settings(machine);
    }

    private Settings settings(SimulatedClient machine) {
        return Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                .pageBytes(512)
                .deadAfter(DEAD_AFTER)
                .sweeping(false);
    }

    private SimulatedClient machine(String name) {
        return simulation.client(name);
    }

    private void see(CallWatcher.Step step, SimulatedClient client, String call, String on, @Nullable Object outcome) {
        if (step == CallWatcher.Step.DONE && call.equals("put")) {
            cloud.newest(on)
                    .ifPresent(now -> versions.computeIfAbsent(on, key -> new ArrayList<>())
                            .add(now.body()));
            if (client == stricken && on.startsWith(PREFIX + "pages/") && --putsLeft == 0) {
                client.crash();
            }
        }
    }

    private void fill() {
        try (Penstock store = Penstock.open(settings().level(ConsistencyLevel.MONOTONIC))) {
            Shop shop = new Shop(store);
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < BOOKS; i += 1 + round) {
                    write(shop, ConsistencyLevel.MONOTONIC, book(i, "round" + round));
                }
                for (int i = 0; i < FILES; i++) {
                    write(shop, ConsistencyLevel.MONOTONIC, file(i, "round" + round));
                }
                store.checkpoint();
            }
            keepWhatCannotBeApplied(store, shop);
        }
        dieWithWork(ConsistencyLevel.MONOTONIC, 3);
        dieWithWork(ConsistencyLevel.ATOMIC, 5);
        dieInACheckpoint();
        dieWithWork(ConsistencyLevel.MONOTONIC, 7);
        Penstock living =
                Penstock.open(settings().level(ConsistencyLevel.ATOMIC).checkpointing(false));
        write(new Shop(living), ConsistencyLevel.ATOMIC, book(11, "living"));
    }

    private static String text(String word) {
        return (word + " ").repeat(4).strip();
    }

    private static Map<String, String> book(int number, String word) {
        return Map.of(Shop.BOOKS + "/" + String.format("%03d", number), "author" + number % AUTHORS + " " + text(word));
    }

    private static Map<String, String> file(int number, String word) {
        return Map.of(Shop.FILES + "/" + number, (word + " ").repeat(60));
    }

    private void write(Shop shop, ConsistencyLevel level, Map<String, String> records) {
        shop.put(level, records);
        content.putAll(records);
    }

    /** Puts a foreign message into quarantine, and parks records for a page that is damaged for a while. */
    private void keepWhatCannotBeApplied(Penstock store, Shop shop) {
        SimulatedClient hand = machine("hand");
        String queue = cloud.queues(hand).list("penstock-pu-").getFirst();
        cloud.queues(hand).create(queue, QueueAttributes.STANDARD).send(List.of(Bytes.utf8("of somebody else")));
        String page = inTheMiddle();
        Bytes whole = cloud.newest(page).orElseThrow().body();
        objects().put(page, Bytes.utf8("damaged"), WriteCondition.ALWAYS);
        for (int i = 0; i < BOOKS; i += 3) {
            write(shop, ConsistencyLevel.MONOTONIC, book(i, "parked"));
        }
        store.checkpoint();
        objects().put(page, whole, WriteCondition.ALWAYS);
        Objects.requireNonNull(versions.get(page)).removeIf(body -> body.equals(Bytes.utf8("damaged")));
    }

    /** A page that is no root, and has neighbours. */
    private String inTheMiddle() {
        return versions.keySet().stream()
                .filter(key -> key.startsWith(PREFIX + "pages/") && !key.endsWith("/0000000000000001"))
                .skip(4)
                .findFirst()
                .orElseThrow();
    }

    /** A client commits a few transactions that nobody applies, and dies. */
    private void dieWithWork(ConsistencyLevel level, int first) {
        SimulatedClient machine = machine("m" + machines++);
        machine.start("client", () -> {
            Penstock store = Penstock.open(settings(machine).level(level).checkpointing(false));
            Shop shop = new Shop(store);
            for (int i = first; i < BOOKS; i += 13) {
                write(shop, level, book(i, "dead" + first));
            }
            write(shop, level, file(first % FILES, "dead" + first));
            machine.crash();
        });
        sleep(Duration.ofSeconds(30));
    }

    /** A checkpoint dies when some of its pages are put. */
    private void dieInACheckpoint() {
        SimulatedClient machine = machine("m" + machines++);
        machine.start("client", () -> {
            Penstock store = Penstock.open(settings(machine).level(ConsistencyLevel.MONOTONIC));
            stricken = machine;
            putsLeft = 3;
            store.checkpoint();
        });
        sleep(Duration.ofSeconds(30));
    }
}
