package io.penstock.bench.damage;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.core.Bytes;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A small store with a bit of everything: applied records on pages of several levels, an index and one that is half
 * built, large payloads, older versions of all, log records that wait in queues of the living and of the dead, a
 * checkpoint that died in the middle, a message in quarantine, parked records, and a commit log of which a part is
 * applied. It is made once and copied for each damage.
 */
final class Original {
    private static final String PREFIX = "penstock/";
    private static final String INTAKES = "penstock-in-";
    private static final int BOOKS = 48;
    private static final int AUTHORS = 7;
    private static final int FILES = 4;
    private static final int ITEMS = 9;
    private static final int RACERS = 4;
    private static final int RACES = 3;

    private final Simulation simulation = new Simulation(1);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.INSTANT, World.CALM);
    private final Map<String, List<Bytes>> versions = new TreeMap<>();
    private final Shop.Content content = new Shop.Content();
    private final List<SimulatedClient> racing = new ArrayList<>();
    private int machines;
    private @Nullable SimulatedClient stricken;
    private int putsLeft;

    Original() {
        simulation.run(() -> {
            cloud.watch(this::see);
            fill();
            return true;
        });
    }

    /** Shows {@code work} a copy, within a simulation of its own. Several threads may do so at a time. */
    void use(Consumer<Specimen> work) {
        Simulation next = new Simulation(2, simulation.nowNanos());
        SimulatedCloud copy = cloud.copy(next);
        next.run(() -> {
            Specimen specimen = new Specimen(this, next, copy);
            specimen.live();
            work.accept(specimen);
            return true;
        });
    }

    Shop.Content content() {
        return content;
    }

    /** All contents that each object has had, in their order. */
    Map<String, List<Bytes>> versions() {
        return versions;
    }

    private SimulatedClient machine() {
        return simulation.client("m" + machines++);
    }

    private void see(CallWatcher.Step step, SimulatedClient client, String call, String on, @Nullable Object outcome) {
        if (step != CallWatcher.Step.DONE) {
            return;
        }
        if (call.equals("send") && on.startsWith(INTAKES) && racing.contains(client)) {
            List<SimulatedClient> all = List.copyOf(racing);
            racing.clear();
            all.stream().filter(other -> other != client).forEach(SimulatedClient::crash);
            client.crash();
        }
        if (call.equals("put")) {
            cloud.newest(on)
                    .ifPresent(now -> versions.computeIfAbsent(on, key -> new ArrayList<>())
                            .add(now.body()));
            if (client == stricken && on.startsWith(PREFIX + "pages/") && --putsLeft == 0) {
                client.crash();
            }
        }
    }

    private void fill() {
        try (Penstock store = Penstock.open(Specimen.settings(cloud, machine()).level(ConsistencyLevel.MONOTONIC))) {
            Shop shop = new Shop(store, false);
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < BOOKS; i += 1 + round) {
                    write(shop, ConsistencyLevel.MONOTONIC, book(i, "round" + round));
                }
                for (int i = 0; i < FILES; i++) {
                    write(shop, ConsistencyLevel.MONOTONIC, file(i, "round" + round));
                }
                for (int i = 0; i < ITEMS; i += 1 + round) {
                    write(shop, ConsistencyLevel.SERIALIZABLE, item(i, "round" + round));
                }
                store.admin().checkpoint();
            }
            keepWhatCannotBeApplied(store, shop);
            dieInABuild();
            write(shop, ConsistencyLevel.MONOTONIC, book(17, "beside"));
            store.admin().checkpoint();
            for (int i = 0; i < ITEMS; i += 2) {
                write(shop, ConsistencyLevel.SERIALIZABLE, item(i, "logged"));
            }
        }
        dieWithWork(ConsistencyLevel.MONOTONIC, 3);
        dieWithWork(ConsistencyLevel.ATOMIC, 5);
        dieInACheckpoint();
        dieWithWork(ConsistencyLevel.MONOTONIC, 7);
        dieInARace();
    }

    private static String text(String word) {
        return (word + " ").repeat(4).strip();
    }

    static Map<String, String> book(int number, String word) {
        return Map.of(Shop.BOOKS + "/" + String.format("%03d", number), "author" + number % AUTHORS + " " + text(word));
    }

    private static Map<String, String> file(int number, String word) {
        return Map.of(Shop.FILES + "/" + number, (word + " ").repeat(60));
    }

    private static Map<String, String> item(int number, String word) {
        return Map.of(Shop.STOCK + "/" + number, text(word));
    }

    private void write(Shop shop, ConsistencyLevel level, Map<String, String> records) {
        shop.put(level, records);
        content.putAll(records);
    }

    /** Puts a foreign message into quarantine, and parks records for a page that is damaged for a while. */
    private void keepWhatCannotBeApplied(Penstock store, Shop shop) {
        SimulatedClient hand = simulation.client("hand");
        String queue = cloud.queues(hand).list("penstock-pu-").getFirst();
        cloud.queues(hand).create(queue, QueueAttributes.STANDARD).send(List.of(Bytes.utf8("of somebody else")));
        String page = inTheMiddle();
        Bytes whole = cloud.newest(page).orElseThrow().body();
        cloud.objects(hand).put(page, Bytes.utf8("damaged"), WriteCondition.ALWAYS);
        for (int i = 0; i < BOOKS; i += 3) {
            write(shop, ConsistencyLevel.MONOTONIC, book(i, "parked"));
        }
        store.admin().checkpoint();
        cloud.objects(hand).put(page, whole, WriteCondition.ALWAYS);
        Objects.requireNonNull(versions.get(page)).removeIf(body -> body.equals(Bytes.utf8("damaged")));
    }

    /** A leaf of books that is no root, and has neighbours. */
    private String inTheMiddle() {
        String definition = cloud.newest(PREFIX + "catalog/" + Shop.BOOKS + ".json")
                .orElseThrow()
                .body()
                .toUtf8();
        String tree = definition.replaceAll("(?s)^.*?\"tree\" : \"([0-9a-f]*)\".*$", "$1");
        return versions.keySet().stream()
                .filter(key -> key.startsWith(PREFIX + "pages/" + tree) && !key.endsWith("/0000000000000001"))
                .filter(key -> cloud.newest(key).stream().anyMatch(page -> Kinds.isLeaf(page.body())))
                .skip(2)
                .findFirst()
                .orElseThrow();
    }

    /** A client commits a few transactions that nobody applies, and dies. */
    private void dieWithWork(ConsistencyLevel level, int first) {
        die(machine(), machine -> {
            Penstock store =
                    Penstock.open(Specimen.settings(cloud, machine).level(level).checkpointing(false));
            Shop shop = new Shop(store, false);
            for (int i = first; i < BOOKS; i += 13) {
                write(shop, level, book(i, "dead" + first));
            }
            write(shop, level, file(first % FILES, "dead" + first));
            machine.crash();
        });
    }

    /** A checkpoint dies when some of its pages are put. */
    private void dieInACheckpoint() {
        dieAfterPuts(3, store -> store.admin().checkpoint());
    }

    /** A build of another index dies when some of its pages are put; programs without it go on. */
    private void dieInABuild() {
        dieAfterPuts(2, store -> new Shop(store, true).build());
    }

    private void dieAfterPuts(int puts, Consumer<Penstock> work) {
        die(machine(), machine -> {
            Penstock store = Penstock.open(Specimen.settings(cloud, machine).level(ConsistencyLevel.MONOTONIC));
            stricken = machine;
            putsLeft = puts;
            work.accept(store);
            throw new IllegalStateException("the client was to die after so many puts of pages puts=" + puts);
        });
    }

    /** Two clients race for the commit log, and both die when one has handed its transaction in. */
    private void dieInARace() {
        Stream.generate(this::machine).limit(RACERS).forEach(machine -> {
            racing.add(machine);
            machine.start("racer", () -> {
                Shop shop =
                        new Shop(Penstock.open(Specimen.settings(cloud, machine).checkpointing(false)));
                for (int i = 0; i < RACES; i++) {
                    write(
                            shop,
                            ConsistencyLevel.SERIALIZABLE,
                            Map.of(Shop.STOCK + "/race" + machine.name() + i, "race"));
                }
            });
        });
        simulation.client("hand").sleep(Duration.ofSeconds(30));
    }

    private void die(SimulatedClient machine, Consumer<SimulatedClient> life) {
        machine.start("client", () -> life.accept(machine));
        simulation.client("hand").sleep(Duration.ofSeconds(30));
        if (!machine.crashed()) {
            throw new IllegalStateException("a client was to die and lives: " + machine.name());
        }
    }
}
