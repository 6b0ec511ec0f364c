package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.PageKind;
import io.penstock.report.CheckpointReport;
import io.penstock.report.QuarantineItem;
import io.penstock.report.QuarantineReport;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One bad part among good ones: everything else goes on, and what was meant for it is kept. */
class ContainmentTest {
    private static final int RECORDS = 300;
    private static final String NEWER = "{\"format\":99,\"name\":\"others\",\"what\":\"nobody knows\"}";

    private static String key(int number) {
        return String.format("%04d", number);
    }

    private static void putAll(Penstock store, ConsistencyLevel level, String value) {
        for (int from = 0; from < RECORDS; from += 10) {
            int first = from;
            store.transact(level, transaction -> {
                for (int i = first; i < first + 10; i++) {
                    transaction.put(words(store), key(i), value);
                }
                return true;
            });
        }
    }

    private static Map<String, String> all(String value) {
        Map<String, String> all = new TreeMap<>();
        for (int i = 0; i < RECORDS; i++) {
            all.put(key(i), value);
        }
        return all;
    }

    /** A store with some hundred applied records on many leaves, and its writer. */
    private static void withStore(ConsistencyLevel level, BiConsumer<SimulatedStore, Penstock> body) {
        new SimulatedStore(Long.getLong("seed", 1), World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("writer").checkpointing(false))) {
                putAll(store, level, "old");
                store.admin().checkpoint();
                assertThat(store.admin().backlog().total()).isZero();
                body.accept(cloud, store);
            }
        });
    }

    private static void damage(SimulatedStore cloud, String key) {
        cloud.objects().put(key, Bytes.utf8("damaged"), WriteCondition.ALWAYS);
    }

    /** An object of the tree that is a leaf and neither the first nor the last. */
    private static String leafKey(SimulatedStore cloud, Penstock store) {
        return cloud.keys("pages/" + words(store).tree().hex()).stream()
                .filter(key -> !key.endsWith("0000000000000001"))
                .filter(key -> isLeaf(store, key))
                .skip(3)
                .findFirst()
                .orElseThrow();
    }

    private static boolean isLeaf(Penstock store, String key) {
        var pages = store.engine().background().pages();
        return pages.read(pages.pageAt(key).orElseThrow()).orElseThrow().image().isLeaf();
    }

    /** What a client that starts with an empty pool reads, key by key; what it cannot read is missing. */
    private static Map<String, String> readable(SimulatedStore cloud, String machine) {
        Map<String, String> found = new TreeMap<>();
        try (Penstock store = Penstock.open(cloud.settings(machine).checkpointing(false))) {
            for (int i = 0; i < RECORDS; i++) {
                try {
                    String key = key(i);
                    words(store).get(key).ifPresent(value -> found.put(key, value));
                } catch (CorruptDataException damaged) {
                    assertThat(damaged).hasMessageContaining("key=penstock/pages/");
                }
            }
        }
        return found;
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "SNAPSHOT", "SERIALIZABLE"})
    void aDamagedLeafKeepsOnlyItsOwnRecordsBack(ConsistencyLevel level) {
        withStore(level, (cloud, store) -> {
            String leaf = leafKey(cloud, store);
            Bytes before = cloud.object(leaf);
            damage(cloud, leaf);
            putAll(store, level, "new");
            CheckpointReport report = store.admin().checkpoint();
            assertThat(report.parked()).isBetween(1L, 50L);
            assertThat(report.records() + report.parked()).isEqualTo(RECORDS);
            assertThat(store.admin().backlog().total()).isZero();
            assertThat(cloud.keys("parked/")).hasSize(2).allMatch(key -> key.contains("/queue-"));
            assertThat(readable(cloud, "reader"))
                    .hasSize(RECORDS - (int) report.parked())
                    .containsValue("new")
                    .doesNotContainValue("old");
            assertThat(store.admin().checkpoint().parked()).isZero();
            cloud.objects().put(leaf, before, WriteCondition.ALWAYS);
            assertThat(readable(cloud, "repaired")).hasSize(RECORDS).containsValue("old");
        });
    }

    /** The home page of a queue. */
    private static String ledgerKey(SimulatedStore cloud, Penstock store) {
        var pages = store.engine().background().pages();
        return cloud.keys("pages/").stream()
                .filter(key -> pages.read(pages.pageAt(key).orElseThrow())
                                .orElseThrow()
                                .image()
                                .header()
                                .kind()
                        == PageKind.LEDGER)
                .findFirst()
                .orElseThrow();
    }

    /** What waits is applied at once, whatever came before, and a fresh ledger takes the place of the damaged one. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "SNAPSHOT", "SERIALIZABLE"})
    void aDamagedLedgerIsBegunAnew(ConsistencyLevel level) {
        withStore(level, (cloud, store) -> {
            String ledger = ledgerKey(cloud, store);
            damage(cloud, ledger);
            putAll(store, level, "new");
            CheckpointReport report = store.admin().checkpoint();
            assertThat(report.heldBack()).isZero();
            assertThat(report.records()).isEqualTo(RECORDS);
            assertThat(readable(cloud, "reader")).isEqualTo(all("new"));
            putAll(store, level, "newest");
            assertThat(store.admin().checkpoint().heldBack()).isZero();
            assertThat(readable(cloud, "again")).isEqualTo(all("newest"));
            assertThat(store.admin().verify().violations()).isEmpty();
        });
    }

    private static RecordCollection<String, String> others(Penstock store) {
        return store.collection("others", Keys.string(), Json.of(String.class));
    }

    /** A client that starts with an empty cache sweeps what it can, and nobody loses what it cannot. */
    @ParameterizedTest
    @ValueSource(strings = {"damaged", NEWER})
    void anUnreadableCatalogEntryHidesItsOwnCollectionAlone(String entry) {
        withStore(ConsistencyLevel.ATOMIC, (cloud, store) -> {
            others(store).put("other", "1");
            Bytes before = cloud.object("penstock/catalog/others.json");
            cloud.objects().put("penstock/catalog/others.json", Bytes.utf8(entry), WriteCondition.ALWAYS);
            putAll(store, ConsistencyLevel.ATOMIC, "new");
            store.flush();
            try (Penstock sweeper = Penstock.open(cloud.settings("sweeper").checkpointing(false))) {
                assertThatThrownBy(sweeper.admin()::checkpoint)
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining("unreadable=others");
                assertThat(sweeper.admin().backlog().pendingMessages()).isEqualTo(1);
                assertThat(cloud.keys("quarantine/")).isEmpty();
                assertThat(readable(cloud, "reader")).isEqualTo(all("new"));
                assertThat(sweeper.collections()).containsExactly("words");
                assertThatThrownBy(() -> others(sweeper).get("other"))
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining("key=penstock/catalog/others.json");
                assertThat(sweeper.admin().verify().violations()).anyMatch(line -> line.contains("collection=others"));
                long pages = cloud.keys("pages/").size();
                cloud.sleep(Duration.ofHours(2));
                assertThat(sweeper.admin().removeGarbage(Duration.ZERO).deleted())
                        .isZero();
                assertThat(cloud.keys("pages/")).hasSize((int) pages);
                sweeper.admin().compact();
            }
            cloud.objects().put("penstock/catalog/others.json", before, WriteCondition.ALWAYS);
        });
    }

    /** It used to be made anew by the next program that asked for it, and read as empty from then on. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"SNAPSHOT", "SERIALIZABLE"})
    void aLostCatalogEntryIsNotANewCollection(ConsistencyLevel level) {
        withStore(level, (cloud, store) -> {
            putAll(store, level, "new");
            store.flush();
            String entry = "penstock/catalog/words.json";
            Bytes definition = cloud.object(entry);
            cloud.objects().delete(entry);
            try (Penstock restarted = Penstock.open(cloud.settings("restarted").checkpointing(false))) {
                assertThatThrownBy(() -> words(restarted).get(key(1)))
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining("key=" + entry);
                assertThat(restarted.admin().verify().violations())
                        .anyMatch(line -> line.contains("collection=words") && line.contains("is lost"));
                cloud.sleep(Duration.ofHours(2));
                assertThat(restarted.admin().removeGarbage(Duration.ZERO).deleted())
                        .isZero();
                assertThatThrownBy(() -> putAll(store, level, "newest")).isInstanceOf(CorruptDataException.class);
                cloud.objects().put(entry, definition, WriteCondition.ALWAYS);
                store.flush();
                restarted.admin().checkpoint();
            }
            assertThat(readable(cloud, "repaired")).isEqualTo(all("new"));
        });
    }

    /** After the page is back, all that was meant for it is applied, and nothing older than what it has. */
    @Test
    void whatWasParkedIsAppliedAfterTheRepair() {
        withStore(ConsistencyLevel.MONOTONIC, (cloud, store) -> {
            String leaf = leafKey(cloud, store);
            Bytes before = cloud.object(leaf);
            damage(cloud, leaf);
            putAll(store, ConsistencyLevel.MONOTONIC, "new");
            store.admin().checkpoint();
            putAll(store, ConsistencyLevel.MONOTONIC, "newest");
            long parked = store.admin().checkpoint().parked();
            List<QuarantineItem> items = store.admin().quarantine().list();
            assertThat(items).hasSize(2).allSatisfy(item -> {
                assertThat(item.collection()).isEqualTo("words");
                assertThat(leaf).endsWith(item.place());
                assertThat(item.reason()).contains("a stored page fails a check");
            });
            String first = items.getFirst().id();
            assertThat(store.admin().quarantine().show(first, false))
                    .hasSize((int) parked)
                    .noneMatch(line -> line.contains("new"));
            assertThat(store.admin().quarantine().show(first, true)).allMatch(line -> line.contains("key=\"0"));
            QuarantineReport early = store.admin().quarantine().applyAll(false);
            assertThat(early.applied()).isZero();
            assertThat(early.kept()).hasSize(2).containsKey(first);
            assertThat(store.admin().verify().notes())
                    .anyMatch(line -> line.contains("objects with parked log records: 2"));
            cloud.objects().put(leaf, before, WriteCondition.ALWAYS);
            QuarantineReport report = store.admin().quarantine().applyAll(false);
            assertThat(report).isEqualTo(new QuarantineReport(2, 2 * parked, Map.of()));
            assertThat(cloud.keys("parked/")).isEmpty();
            assertThat(readable(cloud, "repaired")).isEqualTo(all("newest"));
            assertThat(store.admin().verify().violations()).isEmpty();
        });
    }

    /** Two operators at once: what the other has applied is no failure. */
    @Test
    void whatSomebodyElseHasAppliedMeanwhileIsApplied() {
        withStore(ConsistencyLevel.MONOTONIC, (cloud, store) -> {
            String leaf = leafKey(cloud, store);
            Bytes before = cloud.object(leaf);
            damage(cloud, leaf);
            putAll(store, ConsistencyLevel.MONOTONIC, "new");
            assertThat(store.admin().checkpoint().parked()).isPositive();
            cloud.objects().put(leaf, before, WriteCondition.ALWAYS);
            List<String> kept = cloud.keys("parked/");
            cloud.cloud.watch((step, client, call, on, outcome) -> {
                if (step == CallWatcher.Step.BEGINS && call.equals("get") && on.equals(kept.getFirst())) {
                    cloud.cloud.lose(on);
                }
            });
            assertThat(store.admin().quarantine().applyAll(false).kept()).isEmpty();
            assertThatThrownBy(() -> store.admin().quarantine().apply("parked/none", false))
                    .isInstanceOf(InvalidRequestException.class);
        });
    }

    /** Somebody else's object among what is kept is listed and stays; it keeps nobody from the rest. */
    @Test
    void aForeignObjectAmongWhatIsKeptIsListed() {
        withStore(ConsistencyLevel.MONOTONIC, (cloud, store) -> {
            cloud.objects().put("penstock/parked/.DS_Store", Bytes.utf8("?"), WriteCondition.ALWAYS);
            assertThat(store.admin().quarantine().list()).singleElement().satisfies(item -> {
                assertThat(item.id()).isEqualTo("parked/.DS_Store");
                assertThat(item.collection()).isEqualTo("unknown");
            });
            assertThat(store.admin().quarantine().applyAll(false).kept()).containsKey("parked/.DS_Store");
        });
    }

    /** A delete whose trace is purged could be undone, so old records are applied only if somebody insists. */
    @Test
    void whatIsOlderThanTombstonesIsNotAppliedUnasked() {
        withStore(ConsistencyLevel.BASIC, (cloud, store) -> {
            String leaf = leafKey(cloud, store);
            Bytes before = cloud.object(leaf);
            damage(cloud, leaf);
            putAll(store, ConsistencyLevel.BASIC, "new");
            store.admin().checkpoint();
            cloud.objects().put(leaf, before, WriteCondition.ALWAYS);
            cloud.sleep(Duration.ofDays(30));
            assertThat(store.admin().quarantine().applyAll(false).kept().values())
                    .singleElement()
                    .asString()
                    .contains("older than tombstones are kept");
            assertThat(store.admin().quarantine().applyAll(true).kept()).isEmpty();
            assertThat(readable(cloud, "repaired")).isEqualTo(all("new"));
        });
    }

    /** A large payload that only parked records name outlives every garbage collection. */
    @Test
    void gcKeepsWhatParkedRecordsName() {
        withStore(ConsistencyLevel.MONOTONIC, (cloud, store) -> {
            String leaf = leafKey(cloud, store);
            Bytes before = cloud.object(leaf);
            damage(cloud, leaf);
            String large = "x".repeat(5_000);
            putAll(store, ConsistencyLevel.MONOTONIC, large);
            assertThat(store.admin().checkpoint().parked()).isPositive();
            cloud.objects().put(leaf, before, WriteCondition.ALWAYS);
            cloud.sleep(Duration.ofDays(33));
            store.admin().removeGarbage(Duration.ZERO);
            assertThat(store.admin().quarantine().applyAll(true).kept()).isEmpty();
            assertThat(readable(cloud, "repaired")).isEqualTo(all(large));
        });
    }

    /** A message of a newer release, say, is applied once its reader knows its tree. */
    @Test
    void aQuarantinedMessageIsAppliedWhenItsObstacleIsGone() {
        withStore(ConsistencyLevel.BASIC, (cloud, store) -> {
            String entry = "penstock/catalog/words.json";
            Bytes definition = cloud.object(entry);
            putAll(store, ConsistencyLevel.BASIC, "new");
            cloud.objects().delete(entry);
            cloud.objects().delete("penstock/catalog/words.mark");
            try (Penstock sweeper = Penstock.open(cloud.settings("sweeper").checkpointing(false))) {
                assertThat(sweeper.admin().checkpoint().quarantined()).isPositive();
                assertThat(sweeper.admin().quarantine().applyAll(false).applied())
                        .isZero();
                assertThat(sweeper.admin().quarantine().list())
                        .isNotEmpty()
                        .allMatch(item -> item.id().startsWith("quarantine/"));
                cloud.objects().put(entry, definition, WriteCondition.ALWAYS);
                assertThat(sweeper.admin().quarantine().applyAll(false).kept()).isEmpty();
            }
            assertThat(cloud.keys("quarantine/")).isEmpty();
            assertThat(readable(cloud, "repaired")).isEqualTo(all("new"));
        });
    }

    /** On servers: the successor by name opens, though it cannot apply everything. */
    @Test
    void aNamedClientOpensBesideADamagedPage() {
        withStore(ConsistencyLevel.ATOMIC, (cloud, store) -> {
            Penstock lost =
                    Penstock.open(cloud.settings("lost").clientName("pod-1").checkpointing(false));
            damage(cloud, leafKey(cloud, lost));
            putAll(lost, ConsistencyLevel.ATOMIC, "new");
            cloud.machine("lost").crash();
            try (Penstock heir = Penstock.open(cloud.settings("heir").clientName("pod-1"))) {
                assertThat(heir.admin().backlog().pendingMessages()).isZero();
                assertThat(readable(cloud, "reader").values()).containsOnly("new");
                assertThat(heir.admin().quarantine().list()).isNotEmpty();
            }
        });
    }

    /** Deleted only when its records are safe elsewhere, like everything that leaves a queue. */
    @Test
    void aMessageStaysUntilItsRecordsAreParked() {
        withStore(ConsistencyLevel.MONOTONIC, (cloud, store) -> {
            AtomicBoolean refusing = new AtomicBoolean(true);
            damage(cloud, leafKey(cloud, store));
            putAll(store, ConsistencyLevel.MONOTONIC, "new");
            long waiting = store.admin().backlog().pendingMessages();
            cloud.cloud.watch((step, client, call, on, outcome) -> {
                if (refusing.get() && call.equals("put") && on.contains("/parked/")) {
                    throw new UnavailableException("no place to park");
                }
            });
            assertThatThrownBy(store.admin()::checkpoint).isInstanceOf(UnavailableException.class);
            assertThat(store.admin().backlog().pendingMessages())
                    .isEqualTo(waiting)
                    .isPositive();
            refusing.set(false);
            assertThat(store.admin().checkpoint().parked()).isPositive();
            assertThat(store.admin().backlog().pendingMessages()).isZero();
        });
    }

    private static Stream<Layout> layouts() {
        return Stream.of(Layout.partitioned(4), Layout.perLeaf());
    }

    /** Writers that look for the leaf of a record, to pick its queue, must not stop at the damage. */
    @ParameterizedTest
    @MethodSource("layouts")
    void commitsFindAQueueBesideADamagedLeaf(Layout layout) {
        withStore(ConsistencyLevel.BASIC, (cloud, store) -> {
            damage(cloud, leafKey(cloud, store));
            Settings settings = cloud.settings("other")
                    .advanced(advanced -> advanced.layout(layout))
                    .checkpointing(false);
            try (Penstock other = Penstock.open(settings)) {
                putAll(other, ConsistencyLevel.ATOMIC, "new");
                long parked = other.admin().checkpoint().parked();
                assertThat(parked).isPositive();
                assertThat(other.admin().backlog().total()).isZero();
                assertThat(readable(cloud, "reader")).hasSize(RECORDS - (int) parked);
            }
        });
    }

    /** A lost root is not an empty collection: what hung below it stays, and comes back with it. */
    @Test
    void gcKeepsWhatALostRootLeftBehind() {
        withStore(ConsistencyLevel.BASIC, (cloud, store) -> {
            String longer = "longer ".repeat(20);
            putAll(store, ConsistencyLevel.BASIC, longer);
            store.admin().checkpoint();
            String root = "penstock/pages/" + words(store).tree().hex() + "/0000000000000001";
            Bytes before = cloud.object(root);
            int pages = cloud.keys("pages/").size();
            cloud.objects().delete(root);
            cloud.sleep(Duration.ofHours(2));
            try (Penstock other = Penstock.open(cloud.settings("other").checkpointing(false))) {
                assertThat(other.admin().verify().violations()).anyMatch(line -> line.contains("the root is missing"));
                assertThat(other.admin().removeGarbage(Duration.ZERO).deleted()).isZero();
            }
            cloud.objects().put(root, before, WriteCondition.ALWAYS);
            assertThat(cloud.keys("pages/")).hasSize(pages);
            assertThat(readable(cloud, "reader")).isEqualTo(all(longer));
        });
    }
}
