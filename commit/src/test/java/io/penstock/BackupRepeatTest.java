package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.StoreException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.report.BackupReport;
import io.penstock.report.RestoreReport;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Backups, and restores of them, that were cut short and go on. */
class BackupRepeatTest {
    private final Simulation simulation = new Simulation(1);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
    private final SimulatedCloud elsewhere = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
    private int machines;

    private SimulatedClient machine() {
        return simulation.client("m" + machines++);
    }

    private Settings settings(SimulatedClient machine) {
        return Settings.on(cloud.objects(machine), machine).pageBytes(1024);
    }

    private static RecordCollection<String, String> words(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    private void run(Runnable work) {
        simulation.run(() -> {
            work.run();
            return true;
        });
    }

    private ObjectStore target() {
        return elsewhere.objects(machine());
    }

    private static Map<String, String> all(RecordCollection<String, String> words) {
        Map<String, String> found = new TreeMap<>();
        try (Scan<Entry<String, String>> scan = words.scan(KeySpan.all())) {
            scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
        }
        return found;
    }

    private Penstock fresh(SimulatedClient machine, String prefix) {
        return Penstock.open(settings(machine).prefix(prefix));
    }

    private RestoreReport restore(Penstock store, Optional<Instant> at) {
        return store.admin().restore(target(), "b", at);
    }

    /** What a try before has brought, and the backup of now lacks, is gone. */
    @Test
    void repeatedRestoreLeavesNothingOfAnEarlierBackup() {
        run(() -> {
            try (Penstock store = Penstock.open(settings(machine()));
                    Penstock restored = fresh(machine(), "r")) {
                writeMuch(store);
                store.admin().backup(target(), "b", true);
                ObjectStore target = target();
                String last = ranges(target).getLast();
                StoredObject whole = target.get(last).orElseThrow();
                target.put(last, Bytes.utf8("nonsense"), WriteCondition.ALWAYS);
                assertThatThrownBy(() -> restore(restored, Optional.empty())).is(code(ErrorCode.BACKUP_DAMAGED));
                target.put(last, whole.body(), WriteCondition.ALWAYS);
                words(store).delete("k1000");
                words(store).put("k1001", "new");
                store.admin().backup(target(), "b", true);
                restore(restored, Optional.empty());
                assertSame(restored, all(words(store)));
                assertThat(restored.admin().verify().violations()).isEmpty();
            }
        });
    }

    /** Writes what takes some objects of a backup. */
    private static void writeMuch(Penstock store) {
        for (int i = 0; i < 40; i++) {
            try (Transaction transaction = store.begin()) {
                for (int j = 0; j < 400; j++) {
                    transaction.put(words(store), "k" + (1000 + i * 400 + j), "v".repeat(180));
                }
                transaction.commit();
            }
        }
    }

    /** Compares much without printing it. */
    private static void assertSame(Penstock store, Map<String, String> expected) {
        Map<String, String> found = all(words(store));
        Map<String, String> unlike = new TreeMap<>(found);
        unlike.entrySet().removeAll(expected.entrySet());
        assertThat(unlike.keySet()).isEmpty();
        assertThat(found.keySet()).hasSameSizeAs(expected.keySet());
    }

    private static List<String> ranges(ObjectStore target) {
        return ObjectStores.listAll(target, "b/base/").stream()
                .map(entry -> entry.key())
                .filter(key -> key.contains("/records/"))
                .toList();
    }

    /** Counts puts at the place of backups by key, and does something at the second put of a range. */
    private Map<String, Integer> watchPuts(Runnable then) {
        Map<String, Integer> puts = new TreeMap<>();
        int[] ranges = {0};
        elsewhere.watch((step, client, call, on, outcome) -> {
            if (call.equals("put") && step == CallWatcher.Step.DONE) {
                puts.merge(on, 1, Integer::sum);
            } else if (call.equals("put") && step == CallWatcher.Step.BEGINS && on.contains("/records/")) {
                ranges[0]++;
                if (ranges[0] == 2) {
                    then.run();
                }
            }
        });
        return puts;
    }

    /** What was written whole is not written again: of a base's objects each is written once. */
    @Test
    void fullBackupThatWasCutShortGoesOn() {
        run(() -> {
            try (Penstock store = Penstock.open(settings(machine()))) {
                writeMuch(store);
                SimulatedClient first = machine();
                Map<String, Integer> puts = watchPuts(first::crash);
                assertThatThrownBy(() -> first.start(
                                        "backup",
                                        () -> Penstock.open(settings(first))
                                                .admin()
                                                .backup(target(), "b", true))
                                .join())
                        .isInstanceOf(RuntimeException.class);
                int half = ranges(target()).size();
                assertThat(half).isPositive();
                words(store).put("k1000", "later");
                int before = puts.values().stream().mapToInt(Integer::intValue).sum();
                BackupReport report = store.admin().backup(target(), "b", true);
                int all = ranges(target()).size();
                assertThat(report.full()).isTrue();
                assertThat(all).isGreaterThan(half);
                assertThat(puts.values()).containsOnly(1);
                // The rest of the ranges, one part of the log, the cut.
                assertThat(puts.values().stream().mapToInt(Integer::intValue).sum() - before)
                        .isEqualTo(all - half + 2);
                assertThat(store.admin().backup(target(), "b", true).records()).isEqualTo(16_000);
                Map<String, String> now = all(words(store));
                try (Penstock restored = fresh(machine(), "r")) {
                    restore(restored, Optional.of(report.takenAt()));
                    assertSame(restored, now);
                }
            }
        });
    }

    /** Of two runs that take one backup, none leaves a hole in it. */
    @Test
    void sleeperDoesNotWriteIntoWhatAnotherRunHasFinished() {
        run(() -> {
            try (Penstock store = Penstock.open(settings(machine()))) {
                writeMuch(store);
                SimulatedClient sleeper = machine();
                watchPuts(() -> sleeper.freeze(Duration.ofMinutes(10)));
                var sleeping = sleeper.start(
                        "backup", () -> Penstock.open(settings(sleeper)).admin().backup(target(), "b", true));
                machine().sleep(Duration.ofMinutes(2));
                words(store).put("k1000", "w".repeat(900)); // so that ranges are other ones
                store.admin().backup(target(), "b", true);
                assertThatThrownBy(sleeping::join).isInstanceOf(ConflictException.class);
                try (Penstock restored = fresh(machine(), "r")) {
                    restore(restored, Optional.empty());
                    assertSame(restored, all(words(store)));
                }
            }
        });
    }

    /** A cut never names what is gone. */
    @Test
    void backupWhoseBaseIsRemovedMeanwhileFails() {
        run(() -> {
            try (Penstock store = Penstock.open(settings(machine()))) {
                words(store).put("k", "1");
                store.admin().backup(target(), "b", true);
                words(store).put("k", "2");
                SimulatedClient sleeper = machine();
                elsewhere.watch((step, client, call, on, outcome) -> {
                    boolean puts = client == sleeper && step == CallWatcher.Step.BEGINS && call.equals("put");
                    if (puts && on.startsWith("b/cut/")) {
                        sleeper.freeze(Duration.ofMinutes(10));
                    }
                });
                ObjectStore place = elsewhere.objects(sleeper);
                var sleeping = sleeper.start(
                        "backup", () -> Penstock.open(settings(sleeper)).admin().backup(place, "b", false));
                machine().sleep(Duration.ofMinutes(2));
                words(store).put("k", "3");
                Instant taken = store.admin().backup(target(), "b", true).takenAt();
                assertThat(store.admin().keepBackups(target(), "b", 1, Duration.ZERO))
                        .isPositive();
                assertThatThrownBy(sleeping::join).isInstanceOf(ConflictException.class);
                try (Penstock restored = fresh(machine(), "r")) {
                    assertThatThrownBy(() -> restore(restored, Optional.of(taken.minusSeconds(30))))
                            .is(code(ErrorCode.POSITION_TOO_OLD));
                    restore(restored, Optional.empty());
                    assertThat(words(restored).get("k")).contains("3");
                }
            }
        });
    }

    private void freezeAtPage(SimulatedClient machine, int number) {
        int[] pages = {0};
        cloud.watch((step, client, call, on, outcome) -> {
            if (client == machine && step == CallWatcher.Step.BEGINS && on.startsWith("penstock/pages/")) {
                pages[0]++;
                if (pages[0] == number) {
                    machine.freeze(Duration.ofMinutes(10));
                }
            }
        });
    }

    /** Nobody writes into collections that another run has opened. */
    @Test
    void sleeperDoesNotCopyIntoAStoreInUse() {
        run(() -> {
            try (Penstock store = Penstock.open(settings(machine()));
                    Penstock copy = fresh(machine(), "c")) {
                writeMuch(store);
                store.admin().checkpoint();
                SimulatedClient sleeper = machine();
                freezeAtPage(sleeper, 3_000); // in the second range
                var sleeping = sleeper.fork("copy", () -> {
                    try (Penstock source = Penstock.open(settings(sleeper))) {
                        return source.admin().copy(fresh(sleeper, "c"));
                    }
                });
                machine().sleep(Duration.ofMinutes(2));
                store.admin().copy(copy);
                words(copy).put("k1000", "of the copy");
                words(copy).delete("k16000");
                Map<String, String> now = all(words(copy));
                assertThatThrownBy(sleeping::join).isInstanceOf(ConflictException.class);
                copy.admin().checkpoint();
                assertSame(copy, now);
            }
        });
    }

    @Test
    void halfRestoredCollectionsCannotBeUsed() {
        run(() -> {
            try (Penstock store = Penstock.open(settings(machine()))) {
                words(store).put("a", "1");
                store.admin().backup(target(), "b", true);
            }
            ObjectStore target = target();
            String chunk = ObjectStores.listAll(target, "b/base/").stream()
                    .map(entry -> entry.key())
                    .filter(key -> key.contains("/records/"))
                    .findFirst()
                    .orElseThrow();
            StoredObject whole = target.get(chunk).orElseThrow();
            target.put(chunk, Bytes.utf8("nonsense"), WriteCondition.ALWAYS);
            try (Penstock store = fresh(machine(), "r")) {
                assertThatThrownBy(() -> restore(store, Optional.empty())).is(code(ErrorCode.BACKUP_DAMAGED));
                assertThatThrownBy(() -> words(store).get("a")).isInstanceOf(StoreException.class);
                target.delete(chunk);
                assertThatThrownBy(() -> restore(store, Optional.empty())).is(code(ErrorCode.BACKUP_DAMAGED));
                target.put(chunk, whole.body(), WriteCondition.ALWAYS);
                restore(store, Optional.empty());
                assertThat(words(store).get("a")).contains("1");
                assertThatThrownBy(() -> restore(store, Optional.empty())).is(code(ErrorCode.ALREADY_EXISTS));
            }
        });
    }

    private static RecordCollection<String, String> notes(Penstock store, String topic) {
        return store.collection("notes." + topic, Keys.string(), Json.of(String.class));
    }

    private void crashAtPut(SimulatedClient machine, String key, int number) {
        int[] puts = {0};
        cloud.watch((step, client, call, on, outcome) -> {
            boolean hit = step == CallWatcher.Step.BEGINS && client == machine && call.equals("put");
            if (hit && on.equals(key) && ++puts[0] == number) {
                machine.crash();
            }
        });
    }

    /** Some collections are in use by then, and stay as they are. */
    @Test
    void restoreThatWasCutShortWhileItOpenedCollectionsIsRepeated() {
        run(() -> {
            List<String> topics = List.of("a", "b", "c");
            try (Penstock store = Penstock.open(settings(machine()))) {
                topics.forEach(topic -> notes(store, topic).put("k", "of " + topic));
                store.admin().backup(target(), "b", true);
            }
            SimulatedClient first = machine();
            crashAtPut(first, "r/catalog/notes.b.json", 2); // the first one makes it
            assertThatThrownBy(() -> first.start("restore", () -> restore(fresh(first, "r"), Optional.empty()))
                            .join())
                    .isInstanceOf(RuntimeException.class);
            try (Penstock restored = fresh(machine(), "r")) {
                notes(restored, "a").put("new", "in use");
                assertThatThrownBy(() -> notes(restored, "b").get("k")).is(code(ErrorCode.BEING_RESTORED));
                assertThat(restore(restored, Optional.empty()).collections()).isEqualTo(3);
                topics.forEach(
                        topic -> assertThat(notes(restored, topic).get("k")).contains("of " + topic));
                assertThat(notes(restored, "a").get("new")).contains("in use");
                assertThatThrownBy(() -> restore(restored, Optional.empty())).is(code(ErrorCode.ALREADY_EXISTS));
                assertThat(restored.admin().verify().violations()).isEmpty();
            }
        });
    }
}
