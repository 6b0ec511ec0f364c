package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Durability;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spans with limits, prefixes and tokens, reads of many keys, deletes of ranges: on pages, overlay and own writes. */
class ScanningTest {
    private Path directory;
    private Penstock store;
    private RecordCollection<String, String> words;
    private Index<Long, String, String> byLength;
    private final NavigableMap<String, String> oracle = new TreeMap<>();

    @BeforeEach
    void fill(@TempDir Path temporary) {
        directory = temporary;
        open();
        for (int i = 0; i < 300; i++) {
            put("k" + i % 30 + "." + i, "x".repeat(i % 7));
            if (i == 150) {
                store.admin().checkpoint();
            }
        }
        oracle.headMap("k12", true).keySet().stream().limit(20).toList().forEach(this::delete);
    }

    private void open() {
        store = Penstock.open(
                Settings.local(directory, Durability.OS_CACHE).pageBytes(512).checkpointing(false));
        words = store.collection("words", Keys.string(), Json.of(String.class));
        byLength = words.index("by-length", Keys.longs(), word -> (long) word.length());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void put(String key, String value) {
        words.put(key, value);
        oracle.put(key, value);
    }

    private void delete(String key) {
        words.delete(key);
        oracle.remove(key);
    }

    private static <K, V> List<K> keys(Scan<Entry<K, V>> scan) {
        try (scan) {
            return scan.stream().map(Entry::key).toList();
        }
    }

    @Test
    void prefixesAndLimits() {
        assertThat(keys(words.scan(KeySpan.startingWith("k2"))))
                .isEqualTo(List.copyOf(oracle.subMap("k2", "k3").keySet()));
        assertThat(keys(words.scan(KeySpan.startingWith("k2").reversed().limit(3))))
                .isEqualTo(oracle.subMap("k2", true, "k3", false).descendingKeySet().stream()
                        .limit(3)
                        .toList());
        assertThat(keys(words.scan(KeySpan.all().limit(1)))).containsExactly(oracle.firstKey());
        assertThat(keys(words.scan(KeySpan.startingWith("nothing")))).isEmpty();
        assertThatThrownBy(() -> KeySpan.all().limit(0)).isInstanceOf(InvalidRequestException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pageByPageWithTokens(boolean descending) {
        KeySpan<String> span = descending ? KeySpan.<String>from("k1").reversed() : KeySpan.from("k1");
        NavigableMap<String, String> part = oracle.tailMap("k1", true);
        List<String> expected = List.copyOf((descending ? part.descendingMap() : part).keySet());
        assertThat(paged(span)).isEqualTo(expected);
    }

    private List<String> paged(KeySpan<String> span) {
        List<String> found = new ArrayList<>();
        Optional<String> token = Optional.empty();
        do {
            KeySpan<String> page = token.map(span::after).orElse(span).limit(7);
            try (Scan<Entry<String, String>> scan = words.scan(page)) {
                assertThat(scan.token()).isEqualTo(token);
                int before = found.size();
                scan.forEachRemaining(entry -> found.add(entry.key()));
                token = found.size() == before ? Optional.empty() : scan.token();
            }
        } while (token.isPresent());
        return found;
    }

    /** Whether records come one by one, from the overlay of their writer, or in runs, straight from pages. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theTokenIsThatOfTheRecordTakenLast(boolean descending) {
        KeySpan<String> span = KeySpan.all();
        assertTokens(descending ? span.reversed() : span);
        store.admin().checkpoint();
        store.close();
        open();
        assertTokens(descending ? span.reversed() : span);
    }

    private void assertTokens(KeySpan<String> span) {
        List<String> all = keys(words.scan(span));
        assertThat(all).hasSize(oracle.size());
        try (Scan<Entry<String, String>> scan = words.scan(span)) {
            for (int i = 0; i < all.size(); i++) {
                boolean asked = i % 3 == 0 && scan.hasNext();
                assertThat(scan.next().key()).as("asked=" + asked).isEqualTo(all.get(i));
                if (i % 5 == 0) {
                    assertThat(scan.hasNext()).isEqualTo(i + 1 < all.size());
                }
                String token = scan.token().orElseThrow();
                List<String> two = all.subList(i + 1, Math.min(i + 3, all.size()));
                assertThat(keys(words.scan(span.after(token).limit(2)))).isEqualTo(two);
            }
            assertThat(scan.hasNext()).isFalse();
            assertThat(keys(words.scan(span.after(scan.token().orElseThrow())))).isEmpty();
        }
    }

    @Test
    void aScanIsWalkedThroughByAForLoop() {
        List<String> seen = new ArrayList<>();
        try (Scan<Entry<String, String>> scan = words.scan(KeySpan.all().limit(2))) {
            for (Entry<String, String> word : scan) {
                seen.add(word.key());
            }
        }
        assertThat(seen).hasSize(2).isSorted();
    }

    @Test
    void keysOfAnotherClassAreRefused() {
        KeySpan<Object> numbers = KeySpan.from(7L);
        assertThatThrownBy(() -> words.scan(numbers).hasNext())
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("java.lang.Long");
    }

    @Test
    void aClosedScanHasNoMore() {
        Scan<Entry<String, String>> scan = words.scan(KeySpan.all());
        scan.next();
        String token = scan.token().orElseThrow();
        scan.close();
        assertThat(scan.hasNext()).isFalse();
        assertThatThrownBy(scan::next).isInstanceOf(NoSuchElementException.class);
        assertThat(scan.token()).contains(token);
    }

    @Test
    void indexScansGoOnWithinOneSearchKey() {
        List<String> whole = keys(byLength.scan(3L));
        assertThat(whole)
                .isEqualTo(oracle.entrySet().stream()
                        .filter(entry -> entry.getValue().length() == 3)
                        .map(Map.Entry::getKey)
                        .toList());
        try (Scan<Entry<String, String>> scan =
                byLength.scan(KeySpan.between(3L, 4L).limit(10))) {
            List<String> first = scan.stream().map(Entry::key).toList();
            String token = scan.token().orElseThrow();
            List<String> rest = keys(byLength.scan(KeySpan.between(3L, 4L).after(token)));
            assertThat(first).isEqualTo(whole.subList(0, 10));
            assertThat(rest).isEqualTo(whole.subList(10, whole.size()));
        }
    }

    @Test
    void tokensOfOthersAreRefused() {
        try (Scan<Entry<String, String>> scan = words.scan(KeySpan.all())) {
            scan.next();
            String token = scan.token().orElseThrow();
            assertThatThrownBy(() -> byLength.scan(KeySpan.all().after(token)))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.INVALID_TOKEN));
        }
        for (String bad : List.of("", "!", "AAAA", "x".repeat(5000))) {
            assertThatThrownBy(() -> words.scan(KeySpan.all().after(bad))).isInstanceOf(InvalidRequestException.class);
        }
    }

    @Test
    void manyKeysAtOnce() {
        List<String> wanted = new ArrayList<>(List.of("k7.7", "absent", "k0.0", "k29.299", "k7.7"));
        wanted.addAll(oracle.keySet());
        try (Transaction tx = store.begin()) {
            tx.put(words, "own", "mine");
            tx.delete(words, "k29.299");
            wanted.add("own");
            Map<String, String> found = tx.getAll(words, wanted);
            Map<String, String> expected = new TreeMap<>(oracle);
            expected.put("own", "mine");
            expected.remove("k29.299");
            assertThat(found).containsExactlyInAnyOrderEntriesOf(expected);
            assertThat(found.keySet().stream().limit(2))
                    .isEqualTo(wanted.stream()
                            .distinct()
                            .filter(expected::containsKey)
                            .limit(2)
                            .toList());
        }
        assertThat(words.getAll(List.of())).isEmpty();
    }

    @Test
    void rangesAreDeleted() {
        long expected = oracle.subMap("k1", "k2").size();
        assertThat(words.deleteRange(KeySpan.between("k1", "k2"))).isEqualTo(expected);
        oracle.subMap("k1", "k2").clear();
        assertThat(keys(words.scan(KeySpan.all()))).isEqualTo(List.copyOf(oracle.keySet()));
        assertThat(words.deleteRange(KeySpan.all())).isEqualTo(oracle.size());
        store.admin().checkpoint();
        assertThat(keys(words.scan(KeySpan.all()))).isEmpty();
        assertThat(keys(byLength.scan(KeySpan.all()))).isEmpty();
    }

    @Test
    void randomSpansEqualASortedMap() {
        for (long seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            String from = "k" + random.nextInt(40);
            String to = "k" + random.nextInt(40);
            KeySpan<String> span = random.nextBoolean() ? KeySpan.between(from, to) : KeySpan.startingWith(from);
            NavigableMap<String, String> expected = span.prefixed()
                    ? oracle.subMap(from, true, from + "\uffff", false)
                    : from.compareTo(to) < 0 ? oracle.subMap(from, true, to, false) : new TreeMap<>();
            if (random.nextBoolean()) {
                span = span.reversed();
                expected = expected.descendingMap();
            }
            int limit = 1 + random.nextInt(40);
            List<String> first = expected.keySet().stream().limit(limit).toList();
            assertThat(keys(words.scan(span.limit(limit)))).as("seed=%d", seed).isEqualTo(first);
            assertThat(paged(span)).as("seed=%d", seed).isEqualTo(List.copyOf(expected.keySet()));
        }
    }
}
