package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.Compression;
import io.penstock.core.CorruptDataException;
import io.penstock.core.Durability;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.StoredPage;
import io.penstock.report.StoreStats;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.World;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Collections of compressed pages, through the front door. */
class CompressionTest {
    private static final int RECORDS = 400;

    @TempDir
    Path directory;

    private static void run(Consumer<SimulatedStore> body) {
        new SimulatedStore(11, World.CALM).run(body);
    }

    private static RecordCollection<String, String> words(Penstock store, Compression compression) {
        RecordCollection<String, String> words = SimulatedStore.words(store).compressed(compression);
        words.index("by-end", Keys.string(), word -> word.substring(word.length() - 2));
        return words;
    }

    private static String value(int i) {
        return "an order that was shipped, an order that was paid, an order that was placed " + i % 100;
    }

    private static Map<String, String> records() {
        Map<String, String> records = new TreeMap<>();
        for (int i = 0; i < RECORDS; i++) {
            records.put("order-%06d".formatted(i), value(i));
        }
        return records;
    }

    private static Map<String, String> content(RecordCollection<String, String> words) {
        Map<String, String> found = new TreeMap<>();
        try (Scan<Entry<String, String>> scan = words.scan(KeySpan.all())) {
            scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
        }
        return found;
    }

    private static List<String> pageKeys(SimulatedStore cloud) {
        return ObjectStores.listAll(cloud.objects(), "penstock/pages/").stream()
                .map(entry -> entry.key())
                .toList();
    }

    /** The number of the store's pages by compression. */
    private static Map<Compression, Integer> pages(SimulatedStore cloud) {
        Map<Compression, Integer> counts = new EnumMap<>(Compression.class);
        counts.put(Compression.NONE, 0);
        counts.put(Compression.ZSTD, 0);
        for (String key : pageKeys(cloud)) {
            StoredPage.Description stored =
                    StoredPage.describe(cloud.object(key)).orElseThrow();
            counts.merge(stored.compression(), 1, Integer::sum);
        }
        return counts;
    }

    private static void put(Penstock store, RecordCollection<String, String> words, Map<String, String> records) {
        store.transact(tx -> {
            records.forEach((key, value) -> tx.put(words, key, value));
            return true;
        });
        store.admin().checkpoint();
    }

    @Test
    void isOffByDefault() {
        run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                put(store, words(store, Compression.NONE), records());
            }
            assertThat(pages(cloud).get(Compression.ZSTD)).isZero();
            assertThat(text(cloud.object("penstock/catalog/words.json")))
                    .contains("\"format\" : 1")
                    .doesNotContain("compression");
        });
    }

    private static String text(Bytes bytes) {
        return new String(bytes.toArray(), java.nio.charset.StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource
    void recordsAndIndexesAreCompressedAtEachLevel(ConsistencyLevel level) {
        run(cloud -> {
            Map<String, String> records = records();
            try (Penstock store = Penstock.open(cloud.settings("a").level(level))) {
                put(store, words(store, Compression.ZSTD), records);
            }
            assertThat(pages(cloud).get(Compression.ZSTD)).isGreaterThan(20);
            // A client that does not declare compression learns of it from the catalog, for reads and writes.
            try (Penstock store = Penstock.open(cloud.settings("b").level(level))) {
                RecordCollection<String, String> words = words(store, Compression.NONE);
                assertThat(content(words)).isEqualTo(records);
                int before = pages(cloud).get(Compression.ZSTD);
                records.replaceAll((key, value) -> value + value);
                put(store, words, records);
                assertThat(content(words)).isEqualTo(records);
                assertThat(pages(cloud).get(Compression.ZSTD)).isGreaterThan(before);
                assertThat(store.admin().verify().violations()).isEmpty();
                assertThat(store.admin().verify().violations()).isEmpty();
            }
            assertThat(text(cloud.object("penstock/catalog/words.json")))
                    .contains("\"format\" : 1")
                    .contains("\"compression\" : \"zstd\"");
        });
    }

    /** Bulk load, an index built later, compaction: all writers of the tree's pages. */
    @Test
    void everyWriterOfPagesCompresses() {
        run(cloud -> {
            Map<String, String> records = records();
            try (Penstock store = Penstock.open(cloud.settings("a").ttl(Duration.ofMillis(1)))) {
                RecordCollection<String, String> words =
                        SimulatedStore.words(store).compressed(Compression.ZSTD);
                words.load(
                        records.entrySet().stream()
                                .map(each -> new Entry<>(each.getKey(), each.getValue()))
                                .iterator(),
                        n -> {});
                int loaded = pages(cloud).get(Compression.ZSTD);
                assertThat(loaded).as("loaded").isGreaterThan(20);
                RecordCollection<String, String> indexed = words(store, Compression.ZSTD);
                indexed.build();
                int built = pages(cloud).get(Compression.ZSTD);
                assertThat(built).as("with the index").isGreaterThan(loaded + 5);
                List<String> gone = records.keySet().stream()
                        .filter(key -> Integer.parseInt(key.substring(6)) % 8 != 0)
                        .toList();
                gone.forEach(indexed::delete);
                records.keySet().removeAll(gone);
                store.admin().checkpoint();
                assertThat(content(indexed)).isEqualTo(records);
            }
            cloud.sleep(Duration.ofDays(40));
            try (Penstock store = Penstock.open(cloud.settings("b").ttl(Duration.ofMillis(1)))) {
                RecordCollection<String, String> indexed = words(store, Compression.ZSTD);
                indexed.put("order-000000", value(0));
                store.admin().checkpoint();
                StoreProbe.compact(store, 100);
                assertThat(content(indexed)).isEqualTo(records);
                assertThat(store.admin().verify().violations()).isEmpty();
                assertThat(store.admin().verify().violations()).isEmpty();
            }
        });
    }

    /** Pages that compression does not make smaller are stored uncompressed, in the same tree. */
    @Test
    void bothKindsOfPagesLiveInOneTree() {
        run(cloud -> {
            Random random = new Random(3);
            Map<String, Bytes> records = new TreeMap<>();
            for (int i = 0; i < RECORDS; i++) {
                byte[] payload = new byte[150];
                if (i < RECORDS / 2) {
                    random.nextBytes(payload);
                }
                records.put("k%06d".formatted(i), Bytes.wrap(payload));
            }
            try (Penstock store = cloud.open("a")) {
                RecordCollection<String, Bytes> mixed = store.collection("mixed", Keys.string(), PayloadCodec.bytes())
                        .compressed(Compression.ZSTD);
                store.transact(tx -> {
                    records.forEach((key, value) -> tx.put(mixed, key, value));
                    return true;
                });
                store.admin().checkpoint();
                Map<String, Bytes> found = new TreeMap<>();
                try (Scan<Entry<String, Bytes>> scan = mixed.scan(KeySpan.all())) {
                    scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
                }
                assertThat(found).isEqualTo(records);
                StoreStats.Tree tree = store.admin().inspect().stats().trees().getFirst();
                assertThat(tree.storedBytes()).isBetween(tree.bytes() / 2, tree.bytes() * 3 / 4);
            }
            assertThat(pages(cloud).get(Compression.NONE)).isGreaterThan(20);
            assertThat(pages(cloud).get(Compression.ZSTD)).isGreaterThan(20);
        });
    }

    @Test
    void anotherCompressionThanTheStoresIsRefused() {
        run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                words(store, Compression.NONE).put("a", value(1));
                RecordCollection<String, String> other = words(store, Compression.ZSTD);
                assertThatThrownBy(() -> other.get("a"))
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.DEFINITION_MISMATCH))
                        .hasMessageContaining("compression:none")
                        .hasMessageContaining("compression:zstd");
                RecordCollection<String, String> used = words(store, Compression.NONE);
                used.get("a");
                assertThatThrownBy(() -> used.compressed(Compression.ZSTD))
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.DEFINITION_MISMATCH));
            }
        });
    }

    /** Flipped bytes at the front, in the middle and at the end of the object of each page. */
    @Test
    void damageIsFoundAndReported() {
        run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                put(store, words(store, Compression.ZSTD), records());
            }
            String key = pageKeys(cloud).stream()
                    .filter(each -> StoredPage.describe(cloud.object(each))
                                    .orElseThrow()
                                    .compression()
                            == Compression.ZSTD)
                    .filter(each -> !each.endsWith("0000000000000001"))
                    .findFirst()
                    .orElseThrow();
            Bytes sound = cloud.object(key);
            for (int at : new int[] {0, 5, 17, 21, sound.length() / 2, sound.length() - 1}) {
                byte[] damaged = sound.toArray();
                damaged[at] ^= 0x20;
                cloud.objects().put(key, Bytes.wrap(damaged), WriteCondition.ALWAYS);
                try (Penstock store = Penstock.open(cloud.settings("b").readOnly(true))) {
                    assertThat(store.admin().verify().violations())
                            .as("at=%d", at)
                            .isNotEmpty();
                    assertThat(store.admin().verify().violations())
                            .as("at=%d", at)
                            .isNotEmpty();
                    assertThatThrownBy(() -> {
                                content(words(store, Compression.NONE));
                                try (var scan = store.collection("words", Keys.string(), Json.of(String.class))
                                        .index("by-end", Keys.string(), word -> word.substring(word.length() - 2))
                                        .scan(KeySpan.all())) {
                                    scan.forEachRemaining(entry -> {});
                                }
                            })
                            .as("at=%d", at)
                            .isInstanceOf(CorruptDataException.class);
                }
            }
            cloud.objects().put(key, sound, WriteCondition.ALWAYS);
            try (Penstock store = cloud.open("c")) {
                assertThat(content(words(store, Compression.ZSTD))).isEqualTo(records());
            }
        });
    }

    /** A compressed page has no parts, and a client that knows the definition does not look for them. */
    @Test
    void largeLeavesAreReadWhole() {
        run(cloud -> {
            Map<String, String> records = new TreeMap<>();
            for (int i = 0; i < 30_000; i++) {
                records.put("order-%06d".formatted(i), value(i) + i * 7919);
            }
            try (Penstock store = Penstock.open(cloud.settings("a").pageBytes(1 << 20))) {
                words(store, Compression.ZSTD)
                        .load(
                                records.entrySet().stream()
                                        .map(each -> new Entry<>(each.getKey(), each.getValue()))
                                        .iterator(),
                                n -> {});
            }
            assertThat(pages(cloud).get(Compression.ZSTD)).isPositive();
            List<String> asked = new ArrayList<>();
            cloud.cloud.watch((step, client, call, on, outcome) -> {
                if (step == CallWatcher.Step.BEGINS && call.equals("get") && on.contains("/pages/")) {
                    asked.add(on);
                }
            });
            try (Penstock store = Penstock.open(cloud.settings("b")
                    .pageBytes(1 << 20)
                    .advanced(advanced -> advanced.blockBytes(64 << 10))
                    .ttl(Duration.ofMinutes(5)))) {
                RecordCollection<String, String> words = words(store, Compression.NONE);
                for (int i = 0; i < 30_000; i += 4_999) {
                    String key = "order-%06d".formatted(i);
                    assertThat(words.get(key)).hasValue(records.get(key));
                }
                assertThat(content(words)).isEqualTo(records);
            }
            assertThat(asked).as("each page once, and whole").doesNotHaveDuplicates();
            assertThat(asked.size()).isGreaterThan(3);
        });
    }

    @Test
    void statsAndInspectTellWhatIsStored() {
        run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                put(store, words(store, Compression.ZSTD), records());
                StoreStats.Tree tree = store.admin().inspect().stats().trees().getFirst();
                assertThat(tree.storedBytes()).isBetween(1L, tree.bytes() / 2);
                String key = pageKeys(cloud).stream()
                        .filter(each -> StoredPage.describe(cloud.object(each))
                                        .orElseThrow()
                                        .compression()
                                == Compression.ZSTD)
                        .findFirst()
                        .orElseThrow();
                String number = key.substring(key.lastIndexOf('/') + 1);
                String index = key.contains(hexOfIndex(store)) ? "by-end" : "";
                assertThat(store.admin().inspect().page("words", index, number, false))
                        .contains("object key=" + key + " bytes="
                                + cloud.object(key).length() + " compression=zstd");
            }
        });
    }

    private static String hexOfIndex(Penstock store) {
        return words(store, Compression.ZSTD)
                .declaration()
                .definition()
                .indexes()
                .getFirst()
                .tree();
    }

    @Test
    void aStoreInADirectory() {
        Map<String, String> records = records();
        for (int round = 0; round < 3; round++) {
            try (Penstock store = Penstock.open(Settings.local(directory.resolve("store"), Durability.OS_CACHE)
                    .pageBytes(4096))) {
                RecordCollection<String, String> words = words(store, Compression.ZSTD);
                if (round > 0) {
                    assertThat(content(words)).isEqualTo(records);
                }
                records.replaceAll((key, value) -> value + "!");
                put(store, words, records);
                assertThat(store.admin().verify().violations()).isEmpty();
            }
        }
    }
}
