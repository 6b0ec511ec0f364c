package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.StoreException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Task;
import io.penstock.report.RestoreReport;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.CrashedException;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Restores and copies beside others into the same place, beside programs there, and over what is left of others. */
class RestoreRacesTest {
    private static final Duration FROZEN = Duration.ofMinutes(10);

    /** Gets to know of a request of a client that begins. */
    private interface Watcher {
        void begins(SimulatedClient client, String call, String on);
    }

    /** One store of which there are backups, at {@code b}, and others that are filled with them, on one cloud. */
    private static final class Place {
        private final Simulation simulation = new Simulation(1);
        private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
        private final SimulatedCloud elsewhere = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
        private final List<Watcher> watchers = new ArrayList<>();
        private int machines;

        static void run(Consumer<Place> work) {
            Place place = new Place();
            place.simulation.run(() -> {
                work.accept(place);
                return true;
            });
        }

        SimulatedClient machine() {
            return simulation.client("m" + machines++);
        }

        Settings settings(SimulatedClient machine, String prefix) {
            return Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                    .pageBytes(1024)
                    .prefix(prefix);
        }

        Penstock open(SimulatedClient machine, String prefix) {
            return Penstock.open(settings(machine, prefix));
        }

        ObjectStore target() {
            return elsewhere.objects(machine());
        }

        void backup(Penstock store, boolean full) {
            store.admin().backup(target(), "b", full);
        }

        RestoreReport restore(Penstock store) {
            return store.admin().restore(target(), "b", Optional.empty());
        }

        Task<RestoreReport> restoring(SimulatedClient machine, String prefix) {
            ObjectStore from = elsewhere.objects(machine);
            return machine.fork("restore", () -> {
                try (Penstock store = open(machine, prefix)) {
                    return store.admin().restore(from, "b", Optional.empty());
                }
            });
        }

        Task<RestoreReport> copying(SimulatedClient machine, Penstock to) {
            return machine.fork("copy", () -> {
                try (Penstock store = open(machine, "s")) {
                    return store.admin().copy(to);
                }
            });
        }

        /** Does something when a machine begins its nth put of objects whose keys begin so. */
        void atPut(SimulatedClient machine, String beginning, int number, Runnable work) {
            int[] puts = {0};
            watch((client, call, on) -> {
                if (client == machine && call.equals("put") && on.startsWith(beginning) && ++puts[0] == number) {
                    work.run();
                }
            });
        }

        void watch(Watcher watcher) {
            watchers.add(watcher);
            cloud.watch((step, client, call, on, outcome) -> {
                if (step == CallWatcher.Step.BEGINS) {
                    watchers.forEach(each -> each.begins(client, call, on));
                }
            });
        }

        void sleep(Duration time) {
            machine().sleep(time);
        }
    }

    private static RecordCollection<String, String> words(Penstock store, String name) {
        return store.collection(name, Keys.string(), Json.of(String.class));
    }

    private static RecordCollection<String, String> words(Penstock store) {
        return words(store, "words");
    }

    private static Map<String, String> all(Penstock store) {
        Map<String, String> found = new TreeMap<>();
        try (Scan<Entry<String, String>> scan = words(store).scan(KeySpan.all())) {
            scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
        }
        return found;
    }

    private static boolean ends(Task<?> task) {
        try {
            task.join();
            return true;
        } catch (StoreException | CrashedException overtaken) {
            return false;
        }
    }

    /** At whatever puts the two are frozen, what is there in the end is the backup. */
    @Test
    void ofTwoRestoresOneFillsThePlace() {
        for (int second = 1; second <= 12; second++) {
            assertOneFills("r/", 1 + second * 5 % 12, second);
            assertOneFills("r/log/", 1 + second % 4, second);
            assertOneFills("r/catalog/words.json", 2, second); // when it opens the collection
        }
    }

    private static void assertOneFills(String beginning, int first, int second) {
        String run = beginning + " " + first + " and " + second;
        Place.run(place -> {
            try (Penstock store = place.open(place.machine(), "s")) {
                words(store).put("k", "first");
                place.backup(store, true);
                words(store).put("k", "second");
                words(store).put("k2", "new");
                place.backup(store, false);
                SimulatedClient early = place.machine();
                SimulatedClient late = place.machine();
                place.atPut(early, beginning, first, () -> early.freeze(FROZEN));
                place.atPut(late, "r/", second, () -> late.freeze(FROZEN));
                Task<RestoreReport> one = place.restoring(early, "r");
                place.sleep(FROZEN.dividedBy(2));
                Task<RestoreReport> other = place.restoring(late, "r");
                boolean filled = ends(one) | ends(other);
                try (Penstock restored = place.open(place.machine(), "r")) {
                    if (!filled) {
                        place.restore(restored);
                    }
                    assertThat(all(restored)).as(run).isEqualTo(all(store));
                    assertThat(restored.admin().verify().violations()).as(run).isEmpty();
                }
            }
        });
    }

    /** A copy that goes on beside another has nothing that was deleted before. */
    @Test
    void ofTwoCopiesTheLaterLeavesNothingOfTheEarlier() {
        Place.run(place -> {
            SimulatedClient early = place.machine();
            SimulatedClient late = place.machine();
            try (Penstock store = place.open(place.machine(), "s");
                    Penstock copy = place.open(early, "c");
                    Penstock same = place.open(late, "c")) {
                words(store).put("k", "kept");
                words(store).put("x", "deleted");
                place.atPut(late, "c/catalog/words.json", 1, () -> late.freeze(FROZEN));
                place.atPut(early, "c/log/", 3, () -> early.freeze(FROZEN));
                Task<RestoreReport> begun = place.copying(late, same);
                place.sleep(FROZEN.dividedBy(5));
                Task<RestoreReport> other = place.copying(early, copy);
                place.sleep(FROZEN.dividedBy(5));
                words(store).delete("x");
                assertThat(begun.join().records()).isEqualTo(1);
                assertThat(ends(other)).isFalse();
                assertThat(all(copy)).isEqualTo(Map.of("k", "kept"));
            }
        });
    }

    /** Its collection stays as it is, and the restore says that it cannot be had here. */
    @Test
    void programThatUsesACollectionMeanwhileKeepsIt() {
        Place.run(place -> {
            try (Penstock store = place.open(place.machine(), "s")) {
                words(store, "a").put("k", "backed up");
                words(store, "b").put("k", "backed up");
                place.backup(store, true);
            }
            SimulatedClient slow = place.machine();
            place.atPut(slow, "r/catalog/b.json", 1, () -> slow.freeze(FROZEN));
            Task<RestoreReport> restoring = place.restoring(slow, "r");
            place.sleep(Duration.ofMinutes(2));
            try (Penstock store = place.open(place.machine(), "r")) {
                words(store, "b").put("k", "of the program");
                assertThatThrownBy(restoring::join).is(code(ErrorCode.ALREADY_EXISTS));
                assertThat(words(store, "b").get("k")).contains("of the program");
                assertThatThrownBy(() -> words(store, "a").get("k")).is(code(ErrorCode.BEING_RESTORED));
                assertThatThrownBy(() -> place.restore(store)).is(code(ErrorCode.ALREADY_EXISTS));
            }
        });
    }

    /** Also where the name had another collection before, and where a program has made one of another name. */
    @Test
    void restoreThatWasCutShortIsRepeated() {
        Place.run(place -> {
            try (Penstock store = place.open(place.machine(), "s")) {
                words(store).put("k", "v");
                RecordCollection<String, String> indexed = words(store);
                indexed.index("by", Keys.string(), value -> value);
                indexed.build();
                place.backup(store, true);
            }
            try (Penstock before =
                    Penstock.open(place.settings(place.machine(), "r").level(ConsistencyLevel.ATOMIC))) {
                words(before).put("old", "old");
                before.admin().drop("words");
            }
            SimulatedClient first = place.machine();
            place.atPut(first, "r/catalog/words.json", 2, first::crash); // the first one makes it
            var unused = ends(first.fork("restore", () -> {
                Penstock store = place.open(first, "r");
                return store.admin().restore(place.elsewhere.objects(first), "b", Optional.empty());
            }));
            place.sleep(Duration.ofMinutes(1));
            try (Penstock store = place.open(place.machine(), "r")) {
                words(store, "other").put("k", "of the program");
                assertThatThrownBy(() -> store.admin().rename("words", "terms")).is(code(ErrorCode.BEING_RESTORED));
                place.restore(store);
                RecordCollection<String, String> indexed = words(store);
                Index<String, String, String> by = indexed.index("by", Keys.string(), value -> value);
                indexed.build();
                indexed.put("k2", "v");
                assertThat(by.scan("v").stream().map(Entry::key)).containsExactly("k", "k2");
                assertThat(words(store, "other").get("k")).contains("of the program");
            }
        });
    }

    /** A checkpoint beside the repeated run removes what that replaces, late. */
    @Test
    void repeatedRestoreKeepsLargePayloads() {
        Place.run(place -> {
            try (Penstock store = place.open(place.machine(), "s")) {
                words(store).put("k", "1".repeat(100_000));
                place.backup(store, true);
                words(store).put("k", "2".repeat(100_000));
                place.backup(store, false);
            }
            SimulatedClient first = place.machine();
            place.atPut(first, "r/catalog/words.json", 2, first::crash);
            var unused = ends(first.fork("restore", () -> {
                Penstock store = place.open(first, "r");
                return store.admin().restore(place.elsewhere.objects(first), "b", Optional.empty());
            }));
            place.sleep(Duration.ofMinutes(1));
            SimulatedClient second = place.machine();
            SimulatedClient checkpointer = place.machine();
            int[] copied = {0};
            place.watch((client, call, on) -> {
                if (on.startsWith("r/overflow/")) {
                    if (client == second && call.equals("put") && ++copied[0] == 2) {
                        second.freeze(Duration.ofMinutes(1));
                    } else if (client == checkpointer && call.startsWith("delete")) {
                        checkpointer.freeze(Duration.ofMinutes(5));
                    }
                }
            });
            Task<RestoreReport> restoring = place.restoring(second, "r");
            Task<Boolean> checkpoints = checkpointer.fork("checkpoints", () -> {
                try (Penstock store = place.open(checkpointer, "r")) {
                    for (int i = 0; i < 60; i++) {
                        store.admin().checkpoint();
                        checkpointer.sleep(Duration.ofSeconds(5));
                    }
                }
                return true;
            });
            assertThat(restoring.join().missing()).isZero();
            checkpoints.join();
            place.sleep(Duration.ofMinutes(10));
            try (Penstock store = place.open(place.machine(), "r")) {
                assertThat(words(store).get("k")).contains("2".repeat(100_000));
                assertThat(store.admin().verify().violations()).isEmpty();
            }
        });
    }

    @Test
    void formerNamesLeadToRestoredCollections() {
        Place.run(place -> {
            try (Penstock store = place.open(place.machine(), "s");
                    Penstock restored = place.open(place.machine(), "r");
                    Penstock copy = place.open(place.machine(), "c")) {
                words(store, "old").put("k", "v");
                store.admin().rename("old", "new");
                words(store, "taken").put("k", "v");
                store.admin().rename("taken", "given");
                words(store, "another").put("k", "of another");
                store.admin().rename("another", "taken");
                place.backup(store, true);
                place.restore(restored);
                store.admin().copy(copy);
                for (Penstock other : new Penstock[] {restored, copy}) {
                    assertThat(words(other, "old").get("k")).contains("v");
                    assertThat(words(other, "given").get("k")).contains("v");
                    assertThat(words(other, "taken").get("k")).contains("of another");
                    assertThat(other.collections()).containsExactlyInAnyOrder("new", "given", "taken");
                }
            }
        });
    }

    /** A handle of a dropped collection, whose name a restore uses, is refused until that has ended. */
    @Test
    void nobodyReadsWhatIsHalfRestored() {
        Place.run(place -> {
            try (Penstock store = place.open(place.machine(), "s")) {
                words(store).put("k", "first");
                place.backup(store, true);
                words(store).put("k", "second");
                place.backup(store, false);
            }
            try (Penstock before =
                    Penstock.open(place.settings(place.machine(), "r").level(ConsistencyLevel.ATOMIC))) {
                RecordCollection<String, String> handle = words(before);
                handle.put("k", "dropped");
                before.admin().drop("words");
                SimulatedClient slow = place.machine();
                place.atPut(slow, "r/catalog/words.json", 2, () -> slow.freeze(FROZEN));
                Task<RestoreReport> restoring = place.restoring(slow, "r");
                place.sleep(Duration.ofMinutes(3));
                assertThatThrownBy(() -> handle.get("k")).isInstanceOf(StoreException.class);
                assertThatThrownBy(() -> handle.put("k", "mine")).isInstanceOf(StoreException.class);
                restoring.join();
                assertThat(words(before).get("k")).contains("second");
            }
        });
    }
}
