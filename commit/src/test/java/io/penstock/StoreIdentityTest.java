package io.penstock;

import static io.penstock.SimulatedStore.content;
import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.queue.memory.MemoryQueueService;
import io.penstock.core.task.Task;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A store keeps to itself, and a place without a store is none. Two stores of one prefix in two buckets of one account
 * took each other's commits; and a mistyped prefix was a sound store.
 */
class StoreIdentityTest {
    private static final int RECORDS = 50;

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "SNAPSHOT"})
    void storesOfOnePrefixInTwoBucketsNeverMeet(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(account -> {
            SimulatedCloud other = new SimulatedCloud(account.simulation, Profile.AWS_2026, World.CALM);
            keepApart(
                    level == ConsistencyLevel.SERIALIZABLE,
                    machine -> account.settings(machine).level(level),
                    machine -> Settings.on(
                                    other.objects(account.machine(machine)),
                                    account.cloud.queues(account.machine(machine)),
                                    account.machine(machine))
                            .level(level)
                            .advanced(advanced -> advanced.sweeping(false)));
        });
    }

    @Test
    void storesInMemoryNeverMeet() {
        ThreadTasks tasks = new ThreadTasks();
        MemoryQueueService queues = new MemoryQueueService(tasks);
        MemoryObjectStore a = new MemoryObjectStore(tasks);
        MemoryObjectStore b = new MemoryObjectStore(tasks);
        keepApart(
                false,
                machine -> Settings.on(a, queues, tasks).advanced(advanced -> advanced.sweeping(false)),
                machine -> Settings.on(b, queues, tasks).advanced(advanced -> advanced.sweeping(false)));
    }

    /** A server, or a proxy before it, that does not know If-None-Match, or If-Match, and writes all the same. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void serverThatIgnoresConditionsIsRefused(boolean ifAbsent) {
        ThreadTasks tasks = new ThreadTasks();
        io.penstock.testing.MemoryObjectStore objects = new io.penstock.testing.MemoryObjectStore() {
            @Override
            public Written put(String key, Bytes body, WriteCondition condition) {
                boolean ignored = ifAbsent
                        ? condition instanceof WriteCondition.IfAbsent
                        : condition instanceof WriteCondition.IfVersion;
                return super.put(key, body, ignored ? WriteCondition.ALWAYS : condition);
            }
        };
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> Penstock.open(Settings.on(objects, new MemoryQueueService(tasks), tasks)))
                    .isInstanceOf(RefusedException.class)
                    .is(code(ErrorCode.UNSUPPORTED_SERVER));
        }
    }

    /** A client of A leaves all that it commits in the queues; a client of B applies what it finds. */
    private static void keepApart(boolean strict, Function<String, Settings> inA, Function<String, Settings> inB) {
        try (Penstock a = Penstock.open(inA.apply("a").checkpointing(false));
                Penstock b = Penstock.open(inB.apply("b"))) {
            RecordCollection<String, String> orders = named(a, "orders", strict);
            for (int i = 0; i < RECORDS; i++) {
                orders.put("k" + i, "v" + i);
            }
            a.flush();
            named(b, "others", strict).put("z", "z");
            named(b, "orders", strict).put("z", "z");
            b.admin().recover();
            b.admin().checkpoint();
            assertThat(b.admin().quarantine().list()).isEmpty();
            assertThat(b.admin().backlog().total()).isZero();
        }
        try (Penstock a = Penstock.open(inA.apply("c"));
                Penstock b = Penstock.open(inB.apply("d"))) {
            for (Penstock store : List.of(a, b)) {
                store.admin().recover();
                store.admin().checkpoint();
                assertThat(store.admin().backlog().total()).isZero();
                assertThat(store.admin().quarantine().list()).isEmpty();
                assertThat(store.admin().verify().violations()).isEmpty();
            }
            assertThat(records(named(a, "orders", strict))).isEqualTo(RECORDS);
            assertThat(records(named(b, "orders", strict))).isEqualTo(1);
            assertThat(b.collections()).containsExactly("orders", "others");
            assertThat(a.collections()).containsExactly("orders");
        }
    }

    private static RecordCollection<String, String> named(Penstock store, String name, boolean strict) {
        RecordCollection<String, String> named = store.collection(name, Keys.string(), Json.of(String.class));
        return strict ? named.inDomain("shop") : named;
    }

    private static int records(RecordCollection<String, String> collection) {
        int count = 0;
        try (Scan<Entry<String, String>> scan = collection.scan(KeySpan.all())) {
            for (; scan.hasNext(); scan.next()) {
                count++;
            }
        }
        return count;
    }

    @Test
    void aBucketThatWasMadeAgainHasAnotherStore() {
        new SimulatedStore(2, World.CALM).run(cloud -> {
            Penstock old = cloud.open("old");
            words(old).put("a", "1");
            cloud.keys("").forEach(cloud.objects()::delete);
            assertThatThrownBy(old::ping)
                    .isInstanceOfSatisfying(
                            RefusedException.class,
                            gone -> assertThat(gone.isGone()).isTrue())
                    .is(code(ErrorCode.STORE_NOT_FOUND));
            assertThat(old.admin().verify().violations()).anyMatch(line -> line.contains("there is no store here"));
            try (Penstock fresh = cloud.open("fresh")) {
                assertThat(fresh.collections()).isEmpty();
                words(fresh).put("b", "2");
                fresh.admin().checkpoint();
                assertThatThrownBy(old::ping).is(code(ErrorCode.STORE_NOT_FOUND));
                assertThat(old.admin().verify().violations()).anyMatch(line -> line.contains("another store"));
                assertThat(content(fresh)).hasSize(1);
                assertThat(fresh.admin().quarantine().list()).isEmpty();
                fresh.ping();
            }
        });
    }

    @Test
    void aReaderFindsNoStoreWhereThereIsNone() {
        new SimulatedStore(3, World.CALM).run(cloud -> {
            assertThatThrownBy(() -> Penstock.open(cloud.settings("a").readOnly(true)))
                    .isInstanceOf(RefusedException.class)
                    .is(code(ErrorCode.STORE_NOT_FOUND))
                    .hasMessageContaining("prefix=penstock");
            assertThatThrownBy(() -> Penstock.open(cloud.settings("a").provisioning(Provisioning.EXISTING)))
                    .isInstanceOf(RefusedException.class)
                    .is(code(ErrorCode.STORE_NOT_FOUND));
            assertThat(cloud.keys("")).isEmpty();
            cloud.open("b").close();
            Penstock.open(cloud.settings("c").readOnly(true)).close();
        });
    }

    @Test
    void aStoreWhoseIdentityIsLostIsNoNewOne() {
        new SimulatedStore(4, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                words(store).put("a", "1");
            }
            Bytes identity = cloud.object("penstock/store");
            byte[] flipped = identity.toArray();
            flipped[40] ^= 1;
            for (String lost : List.of("penstock/store", "penstock/store.copy")) {
                spoil(cloud, lost, flipped);
                try (Penstock store = cloud.open("one")) {
                    assertThat(store.admin().verify().violations()).isNotEmpty();
                    assertThat(content(store)).hasSize(1);
                }
                cloud.objects().delete(lost);
                try (Penstock store = cloud.open("one")) {
                    assertThat(store.admin().verify().violations()).isNotEmpty();
                    assertThat(content(store)).hasSize(1);
                }
                cloud.objects().put(lost, identity, WriteCondition.ALWAYS);
            }
            cloud.objects().delete("penstock/store.copy");
            cloud.objects().delete("penstock/store");
            assertThatThrownBy(() -> cloud.open("b"))
                    .isInstanceOf(CorruptDataException.class)
                    .is(code(ErrorCode.CATALOG_DAMAGED));
            assertThatThrownBy(() -> Penstock.open(cloud.settings("b").readOnly(true)))
                    .isInstanceOf(CorruptDataException.class);
            spoil(cloud, "penstock/store", flipped);
            assertThatThrownBy(() -> cloud.open("b"))
                    .isInstanceOf(CorruptDataException.class)
                    .is(code(ErrorCode.CATALOG_DAMAGED));
            cloud.objects().put("penstock/store", identity, WriteCondition.ALWAYS);
            try (Penstock store = cloud.open("b")) {
                assertThat(content(store)).hasSize(1);
            }
        });
    }

    private static void spoil(SimulatedStore cloud, String key, byte[] bytes) {
        cloud.objects().put(key, Bytes.wrap(bytes), WriteCondition.ALWAYS);
    }

    /** Answers are lost, and all first writers open at one time: they open one store. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void firstWritersAgree(boolean rough) {
        for (long seed = 1; seed <= 20; seed++) {
            new SimulatedStore(seed, rough ? World.ROUGH : World.CALM).run(cloud -> {
                List<String> identities = new ArrayList<>();
                List<Task<Boolean>> opening = IntStream.range(0, 5)
                        .mapToObj(i -> cloud.machine("m" + i).startThread("open", () -> {
                            Settings settings = cloud.settings("m" + i);
                            try (Penstock store = Penstock.open(settings)) {
                                identities.add(
                                        store.engine().handle().identity().id());
                            }
                        }))
                        .toList();
                opening.forEach(Task::join);
                assertThat(identities).hasSize(5);
                assertThat(identities.stream().distinct()).hasSize(1);
            });
        }
    }

    @TempDir
    Path directory;

    @Test
    void aReaderMakesNothingInADirectory() throws IOException {
        Files.writeString(directory.resolve("readme"), "of somebody else");
        for (Path place : List.of(directory, directory.resolve("not-there"))) {
            assertThatThrownBy(() -> Penstock.open(Settings.local(place).readOnly(true)))
                    .isInstanceOf(RefusedException.class)
                    .is(code(ErrorCode.STORE_NOT_FOUND));
        }
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left.map(path -> path.getFileName().toString())).containsExactly("readme");
        }
    }

    @Test
    void anotherPrefixOfADirectoryIsNoStore() throws IOException {
        try (Penstock store = Penstock.open(Settings.local(directory))) {
            words(store).put("a", "1");
        }
        List<String> before = files(directory.resolve("objects"));
        assertThatThrownBy(() ->
                        Penstock.open(Settings.local(directory).prefix("shpo").readOnly(true)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("prefix=shpo");
        assertThat(files(directory.resolve("objects"))).isEqualTo(before);
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.map(Path::toString).sorted().toList();
        }
    }
}
