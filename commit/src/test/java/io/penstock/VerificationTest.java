package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.commit.engine.Engine;
import io.penstock.commit.index.CompositeKey;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.record.RecordChange;
import io.penstock.report.GcReport;
import io.penstock.report.VerifyReport;
import io.penstock.testkit.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verification finds what is missing, damaged or left over in a store, on the simulated cloud. */
class VerificationTest {
    private static final int LARGE = 40_000;

    /** A store with fifty applied records, one of them large, and an index; {@code words} is its collection. */
    private static void withStore(BiConsumer<Penstock, RecordCollection<Long, String>> body) {
        new SimulatedStore(7, World.CALM).run(world -> {
            try (Penstock store = Penstock.open(
                    world.settings("a").level(ConsistencyLevel.MONOTONIC).checkpointing(false))) {
                RecordCollection<Long, String> words = store.collection("words", Keys.longs(), Json.of(String.class));
                words.index("by-length", Keys.longs(), text -> (long) text.length());
                for (long i = 0; i < 49; i++) {
                    words.put(i, "a word " + i);
                }
                words.put(49L, "x".repeat(LARGE));
                store.admin().checkpoint();
                body.accept(store, words);
            }
        });
    }

    private static ObjectStore objects(RecordCollection<?, ?> words) {
        return words.store().engine().background().objects();
    }

    private static List<String> keys(RecordCollection<?, ?> words, String folder) {
        String prefix = words.store().engine().background().names().prefix() + "/" + folder + "/";
        return ObjectStores.listAll(objects(words), prefix).stream()
                .map(Listing.Entry::key)
                .toList();
    }

    private static void damage(RecordCollection<?, ?> words, String key) {
        objects(words).put(key, Bytes.utf8("damaged"), WriteCondition.ALWAYS);
    }

    /** An older version of a page that somebody puts back is sound in itself, and only its time tells. */
    @Test
    void aPageThatWasCopiedBackIsFoundOut() {
        new SimulatedStore(7, World.CALM).run(world -> {
            try (Penstock store = world.open("a")) {
                words(store).put("a", "1");
                SimulatedStore.settle(store, world.machine("main"));
            }
            Map<String, Bytes> older = new TreeMap<>();
            world.keys("pages/").forEach(key -> older.put(key, world.object(key)));
            world.sleep(Duration.ofHours(2));
            try (Penstock store = world.open("b")) {
                words(store).put("a", "2");
                SimulatedStore.settle(store, world.machine("main"));
                assertThat(store.admin().verify().notes()).noneMatch(note -> note.contains("restored or copied"));
            }
            older.forEach((key, body) -> world.objects().put(key, body, WriteCondition.ALWAYS));
            try (Penstock store = world.open("c")) {
                assertThat(store.admin().verify().notes()).anyMatch(note -> note.contains("restored or copied"));
            }
        });
    }

    private static void addEntry(RecordCollection<?, ?> words, Bytes key) {
        TreeId tree = words.store().engine().trees().catalog().find("words").orElseThrow().indexes().stream()
                .map(IndexDefinition::treeId)
                .findFirst()
                .orElseThrow();
        Stamp stamp = new Stamp(1L << 60, new ClientId(1));
        Engine engine = words.store().engine();
        var unused = engine.trees()
                .fresh()
                .apply(Workspace.standard(engine.services().tasks()))
                .writer(tree)
                .apply(List.of(new RecordChange.Put(key, Bytes.EMPTY, stamp)));
    }

    @Test
    void aStoreAtRestIsSoundAndThereIsNothingToNote() {
        withStore((store, words) -> {
            VerifyReport report = store.admin().verify();
            assertThat(report.violations()).isEmpty();
            assertThat(report.notes()).isEmpty();
            assertThat(report.isSound()).isTrue();
            assertThat(report.trees()).isEqualTo(2);
            assertThat(report.records()).isEqualTo(50);
            assertThat(report.payloads()).isEqualTo(1);
            assertThat(report.pages()).isGreaterThan(2);
        });
    }

    /** As a server leaves behind that was killed in a put. */
    @Test
    void anObjectOfAnotherFormIsToldOfAndStays() {
        withStore((store, words) -> {
            String key = keys(words, "pages").getFirst() + ".tmp.1";
            damage(words, key);
            VerifyReport report = store.admin().verify();
            assertThat(report.violations()).isEmpty();
            assertThat(report.notes()).singleElement().asString().contains("1 FOREIGN");
            assertThat(store.admin().removeGarbage(Duration.ZERO).kept()).containsEntry(GcReport.Reason.FOREIGN, 1L);
            assertThat(keys(words, "pages")).contains(key);
        });
    }

    @Test
    void aLargePayloadThatIsGoneIsAViolation() {
        withStore((store, words) -> {
            String payload = keys(words, "overflow").getFirst();
            objects(words).deleteAll(List.of(payload));
            assertThat(store.admin().verify().violations())
                    .singleElement()
                    .asString()
                    .contains(payload, "missing");
        });
    }

    @Test
    void everyDamagedPageIsToldOfAndTheRestIsLookedAt() {
        withStore((store, words) -> {
            keys(words, "pages").forEach(page -> damage(words, page));
            objects(words).deleteAll(keys(words, "overflow"));
            VerifyReport report = store.admin().verify();
            assertThat(report.isSound()).isFalse();
            assertThat(report.violations()).anyMatch(line -> line.startsWith("tree="));
            assertThat(report.violations()).anyMatch(line -> line.startsWith("index=by-length"));
            assertThat(report.violations()).anyMatch(line -> line.startsWith("queue="));
            assertThat(report.notes()).anyMatch(line -> line.endsWith(" UNREADABLE"));
        });
    }

    @Test
    void whatLosesNothingIsANote() {
        withStore((store, words) -> {
            words.put(1L, "committed");
            String quarantine = words.store().engine().background().names().prefix() + "/quarantine/queue/m";
            damage(words, quarantine);
            damage(words, quarantine + ".reason");
            Bytes nobody = Bytes.wrap(new byte[] {(byte) 0x80, 0, 0, 0, 0, 0, 0, 77});
            addEntry(words, CompositeKey.join(nobody, nobody));
            VerifyReport report = store.admin().verify();
            assertThat(report.violations()).isEmpty();
            assertThat(report.notes())
                    .anyMatch(line -> line.startsWith("committed and not yet applied: "))
                    .anyMatch(line -> line.startsWith("messages in quarantine: 1;"))
                    .anyMatch(line -> line.startsWith("collection=words index=by-length entries without a record: 1;"))
                    .hasSize(3);
        });
    }

    @Test
    void anEntryThatIsNoneIsAViolation() {
        withStore((store, words) -> {
            addEntry(words, Bytes.utf8("no composite key"));
            assertThat(store.admin().verify().violations())
                    .singleElement()
                    .asString()
                    .startsWith("index=by-length")
                    .doesNotContain("no composite key at all");
        });
    }

    /** Only the log used to tell of it, at each open. */
    @Test
    void damageOfLocalQueuesIsAViolation(@TempDir Path directory) throws IOException {
        try (Penstock store = Penstock.open(Settings.local(directory).level(ConsistencyLevel.ATOMIC))) {
            words(store).put("k", "v".repeat(1000));
            assertThat(store.admin().verify().violations()).isEmpty();
        }
        Path log;
        try (Stream<Path> files = Files.walk(directory.resolve("queues"))) {
            log = files.filter(Files::isRegularFile)
                    .max(Comparator.comparingLong(file -> file.toFile().length()))
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(log);
        Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 64, (byte) 0x55);
        Files.write(log, bytes);
        try (Penstock store = Penstock.open(Settings.local(directory).level(ConsistencyLevel.ATOMIC))) {
            assertThat(store.admin().verify().violations())
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(line).startsWith("local queues: "));
            assertThat(words(store).get("k")).isPresent();
        }
    }
}
