package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import io.penstock.report.BackupReport;
import io.penstock.report.RestoreReport;
import io.penstock.testing.MemoryObjectStore;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Backups taken while others write, and what is restored of them: the state of one moment. */
class BackupTest {
    private static final int KEYS = 60;
    private static final int WRITERS = 3;

    private Simulation simulation = new Simulation(1);
    private SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
    private SimulatedCloud elsewhere = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
    private final List<Committed> journal = new ArrayList<>();
    private boolean over;
    private int machines;

    /** A transaction as its writer knows it: independent of the store's log. */
    private record Committed(Stamp stamp, Map<String, Optional<String>> changes) {}

    private SimulatedClient machine() {
        return simulation.client("m" + machines++);
    }

    private Settings settings(SimulatedClient machine) {
        return Settings.on(cloud.objects(machine), machine)
                .pageBytes(1024)
                .checkpointInterval(Duration.ofSeconds(2))
                .logRetention(Duration.ofHours(2));
    }

    private static RecordCollection<String, String> words(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    private static RecordCollection<String, String> indexed(Penstock store) {
        RecordCollection<String, String> words = words(store);
        var unused = byLength(words);
        return words;
    }

    private static Index<String, String, String> byLength(RecordCollection<String, String> words) {
        return words.index("by-length", Keys.string(), word -> String.valueOf(word.length() % 7));
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

    /** Writes sets of records at random, and notes what was acknowledged. */
    private void write(Random random) {
        SimulatedClient machine = machine();
        try (Penstock store = Penstock.open(settings(machine))) {
            RecordCollection<String, String> words = indexed(store);
            while (!over) {
                Map<String, Optional<String>> changes = new TreeMap<>();
                for (int i = random.nextInt(5); i >= 0; i--) {
                    String value = "v".repeat(random.nextInt(20) == 0 ? 5_000 : random.nextInt(40)) + journal.size();
                    changes.put(
                            "k" + random.nextInt(KEYS), random.nextInt(4) == 0 ? Optional.empty() : Optional.of(value));
                }
                try (Transaction transaction = store.begin()) {
                    changes.forEach((key, value) -> {
                        if (value.isPresent()) {
                            transaction.put(words, key, value.get());
                        } else {
                            transaction.delete(words, key);
                        }
                    });
                    journal.add(new Committed(transaction.commit(), changes));
                } catch (StoreException conflict) {
                    // another writer was first
                }
                machine.sleep(Duration.ofMillis(random.nextInt(400)));
            }
        }
    }

    private Map<String, String> stateAt(long millis) {
        Map<String, String> state = new TreeMap<>();
        journal.stream()
                .filter(one -> one.stamp.millis() <= millis)
                .sorted(Comparator.comparing(Committed::stamp))
                .forEach(one -> one.changes.forEach((key, value) ->
                        value.ifPresentOrElse(there -> state.put(key, there), () -> state.remove(key))));
        return state;
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

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void momentIsRestoredWhileEverybodyWrites(long seed) {
        Random random = new Random(seed);
        simulation = new Simulation(seed);
        cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
        elsewhere = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
        run(() -> {
            for (int i = 0; i < WRITERS; i++) {
                long own = random.nextLong();
                machine().start("writer", () -> write(new Random(own)));
            }
            SimulatedClient clock = machine();
            clock.sleep(Duration.ofSeconds(20));
            List<BackupReport> taken = new ArrayList<>();
            try (Penstock store = Penstock.open(settings(clock).readOnly(random.nextBoolean()))) {
                for (int i = 0; i < 4; i++) {
                    taken.add(store.admin().backup(target(), "b", i == 2));
                    clock.sleep(Duration.ofSeconds(random.nextInt(20)));
                }
            }
            over = true;
            clock.sleep(Duration.ofSeconds(5));
            assertThat(taken.stream().map(BackupReport::full))
                    .as("seed=" + seed)
                    .containsExactly(true, false, true, false);
            check(seed, Optional.empty(), taken.getLast().takenAt().toEpochMilli(), 0);
            for (int i = 1; i <= 5; i++) {
                long first = taken.getFirst().takenAt().toEpochMilli();
                long last = taken.getLast().takenAt().toEpochMilli();
                long at = first + random.nextLong(last - first);
                check(seed, Optional.of(Instant.ofEpochMilli(at)), at, i);
            }
        });
    }

    private void check(long seed, Optional<Instant> at, long millis, int number) {
        try (Penstock store = fresh(machine(), "r" + number)) {
            RestoreReport report = restore(store, at);
            RecordCollection<String, String> words = words(store);
            Index<String, String, String> index = byLength(words);
            Map<String, String> found = all(words);
            Map<String, String> expected = stateAt(millis);
            if (report.missing() > 0) {
                expected.keySet().retainAll(found.keySet());
            }
            assertThat(found).as("seed=" + seed + " at=" + at).isEqualTo(expected);
            assertThat(store.admin().check(index).missing()).isZero();
            assertThat(store.admin().verify().violations()).isEmpty();
            words.put("new", "after"); // in use at once
            assertThat(words.get("new")).contains("after");
        }
    }

    /** Of a record whose large payload the backup lacks a covering index has no row either. */
    @Test
    void rowsOfMissingRecordsAreNotRestored() {
        run(() -> {
            SimulatedClient machine = machine();
            Instant at;
            try (Penstock store = fresh(machine, "s")) {
                RecordCollection<String, String> words = words(store);
                var unused = covered(words);
                words.put("a", "small");
                store.admin().backup(target(), "b", false);
                words.put("k", "x".repeat(5_000));
                store.admin().checkpoint();
                machine.sleep(Duration.ofSeconds(10));
                at = Instant.ofEpochMilli(machine.nowMillis());
                machine.sleep(Duration.ofSeconds(10));
                words.put("k", "y".repeat(6_000));
                store.admin().checkpoint();
                store.admin().backup(target(), "b", false);
            }
            try (Penstock store = fresh(machine(), "r")) {
                assertThat(restore(store, Optional.of(at)).missing()).isOne();
                RecordCollection<String, String> words = words(store);
                CoveringIndex<String, String, String, String> lengths = covered(words);
                assertThat(words.get("k")).isEmpty();
                assertThat(lengths.scan(KeySpan.all()).stream().map(Entry::key)).containsExactly("a");
            }
        });
    }

    private static CoveringIndex<String, String, String, String> covered(RecordCollection<String, String> words) {
        return byLength(words).including("first", Json.of(String.class), word -> word.substring(0, 1));
    }

    /** A copy has all that was acknowledged before it, and of what came meanwhile a beginning. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void copyIsOfOneMomentWhileEverybodyWrites(long seed) {
        Random random = new Random(seed);
        simulation = new Simulation(seed);
        cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
        run(() -> {
            for (int i = 0; i < WRITERS; i++) {
                long own = random.nextLong();
                machine().start("writer", () -> write(new Random(own)));
            }
            SimulatedClient clock = machine();
            clock.sleep(Duration.ofSeconds(20));
            try (Penstock store = Penstock.open(settings(clock).readOnly(random.nextBoolean()));
                    Penstock copy = fresh(machine(), "c")) {
                long before = newest();
                assertThat(store.admin().copy(copy).missing()).isZero();
                over = true;
                clock.sleep(Duration.ofSeconds(5));
                RecordCollection<String, String> words = words(copy);
                Index<String, String, String> index = byLength(words);
                Map<String, String> found = all(words);
                assertThat(LongStream.rangeClosed(before, newest()).mapToObj(this::stateAt))
                        .as("seed=" + seed)
                        .contains(found);
                assertThat(copy.admin().check(index).missing()).isZero();
                assertThat(copy.admin().verify().violations()).isEmpty();
                words.put("new", "after"); // in use at once
                assertThat(words.get("new")).contains("after");
                assertThat(indexed(store).get("new")).isEmpty();
            }
        });
    }

    private long newest() {
        return journal.stream().mapToLong(one -> one.stamp.millis()).max().orElse(0);
    }

    /** Each call of backup and restore may be the last one. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatWasCutShortIsRepeated(long seed) {
        Random random = new Random(seed);
        run(() -> {
            try (Penstock store = Penstock.open(settings(machine()))) {
                RecordCollection<String, String> words = indexed(store);
                for (int i = 0; i < 200; i++) {
                    words.put("k" + i, "v".repeat(random.nextInt(200)));
                }
                Map<String, String> before = all(words);
                killed(
                        random,
                        machine -> Penstock.open(settings(machine)).admin().backup(target(), "b", true));
                store.admin().backup(target(), "b", false);
                killed(random, machine -> restore(fresh(machine, "r"), Optional.empty()));
                try (Penstock restored = fresh(machine(), "r")) {
                    restore(restored, Optional.empty());
                    assertThat(all(indexed(restored))).as("seed=" + seed).isEqualTo(before);
                    assertThat(restored.admin().verify().violations()).isEmpty();
                }
                killed(random, machine -> {
                    try (Penstock source = Penstock.open(settings(machine))) {
                        return source.admin().copy(fresh(machine, "c"));
                    }
                });
                words.delete("k1");
                words.put("k2", "after");
                try (Penstock copy = fresh(machine(), "c")) {
                    store.admin().copy(copy);
                    assertThat(all(indexed(copy))).as("seed=" + seed).isEqualTo(all(words));
                    assertThat(copy.admin().verify().violations()).isEmpty();
                }
            }
        });
    }

    private interface Work {
        Object run(SimulatedClient machine);
    }

    private void killed(Random random, Work work) {
        SimulatedClient machine = machine();
        var task = machine.start("work", () -> work.run(machine));
        machine().sleep(Duration.ofMillis(random.nextInt(3_000)));
        machine.crash();
        try {
            task.join();
        } catch (RuntimeException crashed) {
            // it had not come to its end
        }
    }

    @Test
    void whatCannotBeDoneIsSaidInOneLine() {
        run(() -> {
            SimulatedClient machine = machine();
            try (Penstock store = Penstock.open(settings(machine))) {
                assertThatThrownBy(() -> restore(store, Optional.empty())).is(code(ErrorCode.NOT_FOUND));
                words(store).put("a", "1");
                BackupReport report = store.admin().backup(target(), "b", false);
                assertThat(report.full()).isTrue();
                assertThatThrownBy(() -> restore(fresh(machine(), "r"), Optional.of(Instant.EPOCH)))
                        .is(code(ErrorCode.POSITION_TOO_OLD));
                assertThatThrownBy(() -> restore(
                                fresh(machine(), "r"),
                                Optional.of(report.takenAt().plusSeconds(60))))
                        .is(code(ErrorCode.POSITION_TOO_OLD));
                Admin other = fresh(machine(), "other").admin();
                assertThatThrownBy(() -> other.backup(target(), "b", false)).is(code(ErrorCode.ALREADY_EXISTS));
                assertThatThrownBy(() -> other.keepBackups(target(), "b", 1, Duration.ZERO))
                        .is(code(ErrorCode.ALREADY_EXISTS));
                // Another collection needs another base.
                store.collection("more", Keys.string(), Json.of(String.class)).put("b", "2");
                assertThat(store.admin().backup(target(), "b", false).full()).isTrue();
                assertThat(store.admin().backup(target(), "b", false).full()).isFalse();
            }
        });
    }

    /** Machines that take backups in turn may have clocks that differ. */
    @Test
    void laterBackupOfASlowerClockIsTheLast() {
        run(() -> {
            for (int i = 0; i < 3; i++) {
                SimulatedClient machine = machine();
                machine.skewClock(Duration.ofMinutes(-i));
                try (Penstock store = Penstock.open(settings(machine))) {
                    words(store).put("a", "v" + i);
                    store.admin().backup(target(), "b", i == 1);
                }
            }
            try (Penstock store = fresh(machine(), "r")) {
                restore(store, Optional.empty());
                assertThat(words(store).get("a")).contains("v2");
            }
        });
    }

    @Test
    void momentsOfAnAgeStay() {
        run(() -> {
            SimulatedClient machine = machine();
            List<Instant> moments = new ArrayList<>();
            try (Penstock store = Penstock.open(settings(machine))) {
                for (int day = 0; day < 5; day++) {
                    words(store).put("a", "v" + day);
                    store.admin().backup(target(), "b", true);
                    words(store).put("a", "w" + day);
                    moments.add(store.admin().backup(target(), "b", false).takenAt());
                    machine.sleep(Duration.ofDays(1));
                }
                assertThat(store.admin().keepBackups(target(), "b", 5, Duration.ZERO))
                        .isZero();
                // The moment of two days and a half ago is in the full backup of three days ago.
                assertThat(store.admin().keepBackups(target(), "b", 1, Duration.ofHours(60)))
                        .isEqualTo(2);
                assertThat(store.admin().keepBackups(target(), "b", 1, Duration.ofHours(60)))
                        .isZero();
            }
            try (Penstock store = fresh(machine(), "r")) {
                restore(store, Optional.of(moments.get(2)));
                assertThat(words(store).get("a")).contains("w2");
            }
            try (Penstock store = fresh(machine(), "s")) {
                assertThatThrownBy(() -> restore(store, Optional.of(moments.get(1))))
                        .is(code(ErrorCode.POSITION_TOO_OLD));
            }
        });
    }

    @Test
    void newestFullBackupsStay() {
        run(() -> {
            SimulatedClient machine = machine();
            try (Penstock store = Penstock.open(settings(machine))) {
                for (int i = 0; i < 4; i++) {
                    words(store).put("a", "v".repeat(5_000) + i);
                    store.admin().backup(target(), "b", true);
                    words(store).put("a", "w".repeat(5_000) + i);
                    store.admin().backup(target(), "b", false);
                }
                killed(
                        new Random(1),
                        other -> Penstock.open(settings(other)).admin().backup(target(), "b", true));
                assertThatThrownBy(() -> store.admin().keepBackups(target(), "b", 0, Duration.ZERO))
                        .is(code(ErrorCode.INVALID_SETTING));
                long gone = store.admin().keepBackups(target(), "b", 2, Duration.ZERO);
                assertThat(gone).isGreaterThanOrEqualTo(2);
                assertThat(store.admin().keepBackups(target(), "b", 2, Duration.ZERO))
                        .isZero();
                assertThat(store.admin().backup(target(), "b", false).full()).isFalse();
            }
            try (Penstock store = fresh(machine(), "r")) {
                assertThat(restore(store, Optional.empty()).missing()).isZero();
                assertThat(words(store).get("a").orElseThrow()).endsWith("w3");
            }
        });
    }

    /** A backup is read back, its large payloads too. */
    @ParameterizedTest
    @ValueSource(strings = {"/records/", "/overflow/", "/catalog/", "cut/"})
    void aPlaceThatKeepsOtherBytesIsFoundOut(String damaged) {
        ObjectStore place = new MemoryObjectStore() {
            @Override
            public Written put(String key, Bytes body, WriteCondition condition) {
                byte[] bytes = body.copy().array();
                bytes[bytes.length / 2] ^= (byte) (key.contains(damaged) ? 1 : 0);
                return super.put(key, Bytes.wrap(bytes), condition);
            }
        };
        run(() -> {
            try (Penstock store = Penstock.open(settings(machine()))) {
                words(store).put("large", "v".repeat(5_000));
                assertThatThrownBy(() -> store.admin().backup(place, "b", true))
                        .has(code(ErrorCode.BACKUP_DAMAGED))
                        .hasMessageContaining("not what was just written");
            }
        });
    }

    /** The next run does not take it for a copy, also where the first one could not read it back. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLargePayloadThatWasWrittenWrongIsCopiedAgain(boolean readBack) {
        boolean[] wrong = {true};
        ObjectStore place = new MemoryObjectStore() {
            @Override
            public Written put(String key, Bytes body, WriteCondition condition) {
                byte[] bytes = body.copy().array();
                bytes[bytes.length / 2] ^= (byte) (wrong[0] && key.contains("/overflow/") ? 1 : 0);
                return super.put(key, Bytes.wrap(bytes), condition);
            }

            @Override
            public Optional<StoredObject> getRange(String key, long offset, int length) {
                if (wrong[0] && length > 1 && !readBack) {
                    throw new UnavailableException("away");
                }
                return super.getRange(key, offset, length);
            }
        };
        run(() -> {
            try (Penstock store = Penstock.open(settings(machine()))) {
                words(store).put("large", "v".repeat(5_000));
                Admin admin = store.admin();
                assertThatThrownBy(() -> admin.backup(place, "b", true))
                        .isInstanceOf(readBack ? CorruptDataException.class : UnavailableException.class);
                wrong[0] = false;
                admin.backup(place, "b", false);
            }
            try (Penstock store = fresh(machine(), "r")) {
                store.admin().restore(place, "b", Optional.empty());
                assertThat(words(store).get("large")).contains("v".repeat(5_000));
            }
        });
    }

    /** A part of an answer that was lost is no part of a backup, nor is a payload gone whose answer is empty. */
    @ParameterizedTest
    @ValueSource(longs = {0, 8 << 20, 16 << 20})
    void aLargePayloadThatComesBackShortIsNotBackedUp(long cut) {
        MemoryObjectStore place = new MemoryObjectStore();
        boolean[] lost = {true};
        run(() -> {
            SimulatedClient machine = machine();
            ObjectStore source = cloud.objects(machine);
            InvocationHandler handler = (proxy, method, arguments) -> {
                try {
                    Object result = method.invoke(source, arguments);
                    boolean hit = method.getName().equals("getRange")
                            && arguments[0].toString().contains("/overflow/")
                            && arguments[1].equals(cut);
                    return hit && lost[0] && result instanceof Optional<?> found
                            ? found.map(StoredObject.class::cast).map(object -> object.range(0, 0))
                            : result;
                } catch (InvocationTargetException failure) {
                    throw failure.getCause();
                }
            };
            ObjectStore cutting = (ObjectStore) Proxy.newProxyInstance(
                    ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, handler);
            try (Penstock store = Penstock.open(Settings.on(cutting, machine))) {
                byte[] large = new byte[17 << 20];
                raw(store).put(Bytes.utf8("k"), Bytes.wrap(large));
                assertThatThrownBy(() -> store.admin().backup(place, "b", true))
                        .hasMessageContaining("shorter than its reference says");
                assertThat(place.list("b/overflow/", "", 10).entries()).isEmpty();
                lost[0] = false;
                store.admin().backup(place, "b", false);
            }
            try (Penstock store = fresh(machine, "r")) {
                assertThat(store.admin().restore(place, "b", Optional.empty()).missing())
                        .isZero();
            }
        });
    }

    /** The full backup has the first objects of a payload, and the next one those that were appended since. */
    @Test
    void appendedPayloadsAreRestoredWhole() {
        Bytes key = Bytes.utf8("k");
        Bytes[] whole = {Bytes.utf8("v".repeat(5_000))};
        run(() -> {
            SimulatedClient machine = machine();
            try (Penstock store = Penstock.open(settings(machine))) {
                raw(store).put(key, whole[0]);
                for (int i = 0; i < 30; i++) {
                    Bytes more = Bytes.utf8(i + "+".repeat(i % 3 == 0 ? 700 : 50));
                    raw(store).append(key, more);
                    whole[0] = whole[0].concat(more);
                    if (i % 4 == 0) {
                        store.admin().checkpoint();
                    }
                    if (i % 5 == 0) {
                        store.admin().backup(target(), "b", i == 0);
                    }
                }
                store.admin().backup(target(), "b", false);
            }
            try (Penstock store = fresh(machine, "r")) {
                assertThat(restore(store, Optional.empty()).missing()).isZero();
                assertThat(raw(store).get(key)).hasValue(whole[0]);
                raw(store).append(key, key);
                store.admin().checkpoint();
                assertThat(raw(store).get(key)).hasValue(whole[0].concat(key));
                assertThat(store.admin().verify().violations()).isEmpty();
            }
        });
    }

    private static RecordCollection<Bytes, Bytes> raw(Penstock store) {
        return store.collection("raw", Keys.bytes(), PayloadCodec.bytes());
    }

    @Test
    void trimmedLogBeginsAnew() {
        run(() -> {
            SimulatedClient machine = machine();
            try (Penstock store = Penstock.open(settings(machine))) {
                words(store).put("a", "1");
                store.admin().backup(target(), "b", false);
                for (int i = 0; i < 10; i++) {
                    words(store).put("a" + i, "1");
                    machine.sleep(Duration.ofHours(1));
                }
                assertThat(store.admin().backup(target(), "b", false).full()).isTrue();
            }
        });
    }

    @Test
    void collectionsOutsideOfDomainsAreRefused() {
        run(() -> {
            SimulatedClient machine = machine();
            try (Penstock store = Penstock.open(Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                    .level(ConsistencyLevel.ATOMIC))) {
                words(store).put("a", "1");
                assertThatThrownBy(() -> store.admin().backup(target(), "b", false))
                        .is(code(ErrorCode.DOMAIN_MISMATCH))
                        .hasMessageContaining("words");
            }
        });
    }

    @Test
    void recordsExpireInARestoredStoreToo() {
        run(() -> {
            SimulatedClient machine = machine();
            try (Penstock store = Penstock.open(settings(machine))) {
                words(store).put("short", "1", Duration.ofMinutes(10));
                words(store).put("long", "2", Duration.ofDays(10));
                store.admin().checkpoint();
                store.admin().backup(target(), "b", false);
            }
            try (Penstock store = fresh(machine, "r")) {
                restore(store, Optional.empty());
                assertThat(all(words(store)).keySet()).containsExactly("long", "short");
                machine.sleep(Duration.ofMinutes(11));
                assertThat(all(words(store)).keySet()).containsExactly("long");
            }
        });
    }
}
