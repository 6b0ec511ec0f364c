package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.Compression;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.page.StoredPage;
import io.penstock.report.CompactionReport;
import io.penstock.report.StoreStats;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Collections whose pages get another size or compression, beside clients that have them open. */
class RepagingTest {
    private static final int RECORDS = 300;

    private static RecordCollection<String, String> words(Penstock store) {
        RecordCollection<String, String> words = SimulatedStore.words(store);
        var unused = words.index("by-end", Keys.string(), word -> word.substring(word.length() - 2));
        return words;
    }

    private static String value(int i, String version) {
        return version + " of an order that was shipped, of an order that was paid, of an order that was placed " + i;
    }

    private static void put(
            Penstock store, RecordCollection<String, String> words, Map<String, String> oracle, String v) {
        store.transact(transaction -> {
            for (int i = 0; i < RECORDS; i++) {
                oracle.put("order-%06d".formatted(i), value(i, v));
                transaction.put(words, "order-%06d".formatted(i), value(i, v));
            }
            return true;
        });
    }

    private static Map<String, String> content(RecordCollection<String, String> words) {
        Map<String, String> found = new TreeMap<>();
        try (Scan<Entry<String, String>> scan = words.scan(KeySpan.all())) {
            scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
        }
        return found;
    }

    private static StoreStats.Tree primary(Penstock store) {
        return store.admin().inspect().stats().trees().stream()
                .filter(tree -> tree.index().isEmpty())
                .findFirst()
                .orElseThrow();
    }

    private static long compressed(SimulatedStore cloud) {
        return ObjectStores.listAll(cloud.objects(), "penstock/pages/").stream()
                .filter(entry -> StoredPage.isCompressed(cloud.object(entry.key())))
                .count();
    }

    private static Penstock open(SimulatedStore cloud, String machine, ConsistencyLevel level) {
        return Penstock.open(cloud.settings(machine).level(level));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NAIVE") // of which two clients overwrite each other's records
    void pagesChangeBesideClientsThatDoNotKnow(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Map<String, String> oracle = new TreeMap<>();
            try (Penstock store = open(cloud, "a", level);
                    Penstock other = open(cloud, "b", level)) {
                RecordCollection<String, String> here = words(store);
                RecordCollection<String, String> there = words(other);
                put(store, here, oracle, "first");
                SimulatedStore.settle(store, cloud.machine("main"));
                there.put("by the other", "its own");
                oracle.put("by the other", "its own");
                StoreStats.Tree before = primary(store);

                store.admin().repage("words", 4096, Compression.ZSTD);
                put(other, there, oracle, "second"); // as it knows the collection, with small pages
                SimulatedStore.settle(other, cloud.machine("main"));
                assertThat(store.admin().compact().reformed()).isPositive();
                assertThat(content(here)).isEqualTo(oracle);
                cloud.sleep(Duration.ofHours(2));
                for (int hour = 0; hour < 8; hour += 2) {
                    var unused = other.admin().compact();
                    cloud.sleep(Duration.ofHours(2));
                }
                assertThat(primary(other).pages()).isLessThan(before.pages());
                assertThat(compressed(cloud)).isGreaterThan(10);

                other.admin().repage("words", 512, Compression.NONE);
                put(store, here, oracle, "third");
                SimulatedStore.settle(store, cloud.machine("main"));
                var unused = other.admin().compact();
                assertThat(store.admin().compact()).isEqualTo(CompactionReport.NONE);
                assertThat(content(there)).isEqualTo(oracle);
                assertThat(primary(store).pages()).isGreaterThan(before.pages());
                // Compressed are pages that nothing refers to any more.
                var collected = store.admin().removeGarbage(Duration.ZERO);
                assertThat(compressed(cloud)).isZero();
                assertThat(store.admin().verify().violations()).isEmpty();
                assertThat(cloud.keys("quarantine/")).isEmpty();
            }
        });
    }

    /** Whoever does not know of the change yet may commit what was allowed before, and anyone can apply it. */
    @Test
    void recordsMayBeAsLargeAsBefore() {
        new SimulatedStore(2, World.CALM).run(cloud -> {
            Map<String, String> oracle = new TreeMap<>();
            try (Penstock store = open(cloud, "a", ConsistencyLevel.ATOMIC);
                    Penstock other = open(cloud, "b", ConsistencyLevel.ATOMIC)) {
                RecordCollection<String, String> here = SimulatedStore.words(store);
                RecordCollection<String, String> there = SimulatedStore.words(other);
                there.put("a", "first");
                store.admin().repage("words", 512, Compression.NONE);
                for (int i = 0; i < 40; i++) {
                    String key = "%03d".formatted(i) + "k".repeat(1024 / 8 - 3 - i % 2 * 100);
                    String value = "v".repeat(i % 3 == 0 ? 2_000 : 240);
                    (i % 2 == 0 ? here : there).put(key, value);
                    oracle.put(key, value);
                }
                oracle.put("a", "first");
                SimulatedStore.settle(store, cloud.machine("main"));
                var unused = store.admin().compact();
                assertThat(SimulatedStore.content(store)).isEqualTo(oracle);
                assertThat(store.admin().verify().violations()).isEmpty();
                assertThat(cloud.keys("quarantine/")).isEmpty();
                assertThatThrownBy(() -> here.put("k".repeat(1024 / 8 + 1), "too long"))
                        .isInstanceOf(InvalidRequestException.class);
            }
        });
    }

    /** Programs of before and after the change start, whatever they declare. */
    @Test
    void whatWasDeclaredBeforeDoesNotCountAnyMore() {
        new SimulatedStore(3, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                RecordCollection<String, String> words = SimulatedStore.words(store);
                words.put("a", "first");
                assertThatThrownBy(() -> SimulatedStore.words(store)
                                .compressed(Compression.ZSTD)
                                .get("a"))
                        .isInstanceOf(InvalidRequestException.class);
                store.admin().repage("words", 1024, Compression.ZSTD);
                store.admin().repage("words", 1024, Compression.ZSTD);
                store.admin().repage("words", 1024, Compression.NONE);
                for (Compression declared : Compression.values()) {
                    assertThat(SimulatedStore.words(store).compressed(declared).get("a"))
                            .contains("first");
                }
                Bytes entry = cloud.object("penstock/catalog/words.json");
                assertThat(new String(entry.toArray(), java.nio.charset.StandardCharsets.UTF_8))
                        .contains("\"format\" : 1")
                        .contains("\"revision\" : 2")
                        .doesNotContain("compression");
            }
        });
    }

    @Test
    void badChoicesAreRefused() {
        new SimulatedStore(4, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                RecordCollection<String, String> words = SimulatedStore.words(store);
                assertThatThrownBy(() -> store.admin().repage("words", 1024, Compression.NONE))
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.NOT_FOUND));
                words.put("a", "first");
                for (int bytes : new int[] {0, 511, (16 << 20) + 1}) {
                    assertThatThrownBy(() -> store.admin().repage("words", bytes, Compression.NONE))
                            .isInstanceOf(InvalidRequestException.class)
                            .is(code(ErrorCode.INVALID_SETTING));
                }
            }
            try (Penstock store = Penstock.open(cloud.settings("b").readOnly(true))) {
                assertThatThrownBy(() -> store.admin().repage("words", 1024, Compression.NONE))
                        .isInstanceOf(InvalidRequestException.class);
            }
        });
    }
}
