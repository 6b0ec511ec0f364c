package io.penstock;

import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.task.Task;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BulkLoadTest {
    private static void store(BiConsumer<SimulatedStore, Penstock> body) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("a").checkpointing(false))) {
                body.accept(cloud, store);
            }
        });
    }

    private static TreeMap<String, String> records(int count) {
        Random random = new Random(count);
        TreeMap<String, String> records = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            int length = i % 50 == 7 ? 900 : random.nextInt(40);
            records.put("k" + random.nextInt(1 << 30), "value " + i % 10 + "x".repeat(length));
        }
        return records;
    }

    private static Iterator<Entry<String, String>> shuffled(Map<String, String> records) {
        List<Entry<String, String>> entries = new ArrayList<>();
        records.forEach((key, value) -> entries.add(new Entry<>(key, value)));
        Collections.shuffle(entries, new Random(7));
        return entries.iterator();
    }

    private static Map<String, String> content(RecordCollection<String, String> words) {
        Map<String, String> found = new TreeMap<>();
        try (Scan<Entry<String, String>> scan = words.scan(KeySpan.all())) {
            scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
        }
        return found;
    }

    private static RecordCollection<String, String> indexed(Penstock store) {
        RecordCollection<String, String> words = words(store);
        words.index("by-start", Keys.string(), word -> word.substring(0, 7));
        return words;
    }

    private static CoveringIndex<Long, String, String, String> covering(RecordCollection<String, String> words) {
        return words.index("length", Keys.longs(), word -> word.isEmpty() ? null : (long) word.length())
                .including("word", Json.of(String.class), word -> word);
    }

    private static Map<String, String> rows(CoveringIndex<Long, String, String, String> covering) {
        Map<String, String> found = new TreeMap<>();
        try (Scan<Entry<String, String>> scan = covering.scan(KeySpan.all())) {
            scan.forEachRemaining(row -> found.put(row.key(), row.value()));
        }
        return found;
    }

    @Test
    void recordsInAnyOrderAndTheirIndexes() {
        store((cloud, store) -> {
            TreeMap<String, String> records = records(3000);
            List<Long> progress = new ArrayList<>();
            RecordCollection<String, String> words = indexed(store);
            assertThat(words.load(shuffled(records), progress::add)).isEqualTo(3000);
            assertThat(progress).containsExactly(1000L, 2000L, 3000L, 3000L);
            assertThat(content(words)).isEqualTo(records);
            assertThat(store.admin().verify().violations()).isEmpty();
            assertThat(store.admin().backlog().total()).isZero();
            try (Scan<Entry<String, String>> found = index(words).scan("value 3")) {
                assertThat(found.stream().count())
                        .isEqualTo(records.values().stream()
                                .filter(value -> value.startsWith("value 3"))
                                .count());
            }
            words.put("k1", "value 3 new");
            words.delete(records.firstKey());
            store.admin().checkpoint();
            records.remove(records.firstKey());
            records.put("k1", "value 3 new");
            try (Penstock other = cloud.open("b")) {
                assertThat(content(indexed(other))).isEqualTo(records);
                assertThat(other.admin().verify().violations()).isEmpty();
            }
        });
    }

    @Test
    void ofOneKeyTheLastCounts() {
        store((cloud, store) -> {
            words(store)
                    .load(
                            List.of(new Entry<>("k", "old"), new Entry<>("j", "x"), new Entry<>("k", "new"))
                                    .iterator(),
                            n -> {});
            assertThat(SimulatedStore.content(store)).isEqualTo(Map.of("j", "x", "k", "new"));
        });
    }

    /** A covering index gives rows without a look at the records. */
    @Test
    void ofOneKeyTheEntriesOfTheLastCount() {
        store((cloud, store) -> {
            RecordCollection<String, String> words = words(store);
            CoveringIndex<Long, String, String, String> lengths = covering(words);
            List<Entry<String, String>> records = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                records.add(new Entry<>("k" + i % 1_000, i < 2_000 ? "old" + i : i % 2 == 0 ? "" : "new" + i));
            }
            words.load(records.iterator(), n -> {});
            assertThat(rows(lengths))
                    .hasSize(500)
                    .allSatisfy((key, row) -> assertThat(row).startsWith("new"));
        });
    }

    @Test
    void aCollectionWithRecordsIsRefused() {
        store((cloud, store) -> {
            words(store).put("k", "v");
            store.admin().checkpoint();
            assertThatThrownBy(() -> words(store).load(shuffled(records(10)), n -> {}))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.ALREADY_EXISTS));
            words(store).delete("k");
            store.admin().checkpoint();
            assertThatThrownBy(() -> words(store).load(shuffled(records(10)), n -> {}))
                    .isInstanceOf(InvalidRequestException.class);
        });
    }

    /** The youngest stamp wins, whether it was committed before, meanwhile or afterwards. */
    @Test
    void commitsThatAreNotAppliedYet() {
        store((cloud, store) -> {
            RecordCollection<String, String> words = words(store);
            words.put("before", "own");
            words.put("only before", "own");
            Iterator<Entry<String, String>> records = List.of(
                            new Entry<>("before", "loaded"),
                            new Entry<>("meanwhile", "loaded"),
                            new Entry<>("after", "loaded"))
                    .iterator();
            words.load(
                    new Iterator<>() {
                        @Override
                        public boolean hasNext() {
                            return records.hasNext();
                        }

                        @Override
                        public Entry<String, String> next() {
                            words.put("meanwhile", "own");
                            return records.next();
                        }
                    },
                    n -> {});
            words.put("after", "own");
            Map<String, String> expected =
                    Map.of("before", "loaded", "only before", "own", "meanwhile", "own", "after", "own");
            assertThat(SimulatedStore.content(store)).isEqualTo(expected);
            store.admin().checkpoint();
            cloud.sleep(Duration.ofMinutes(1));
            assertThat(SimulatedStore.content(store)).isEqualTo(expected);
        });
    }

    @Test
    void aCheckpointMeanwhileMakesItFail() {
        store((cloud, store) -> {
            Iterator<Entry<String, String>> records = shuffled(records(500));
            Iterator<Entry<String, String>> disturbed = new Iterator<>() {
                private int n;

                @Override
                public boolean hasNext() {
                    return records.hasNext();
                }

                @Override
                public Entry<String, String> next() {
                    if (++n == 300) {
                        words(store).put("k", "theirs");
                        store.admin().checkpoint();
                    }
                    return records.next();
                }
            };
            assertThatThrownBy(() -> words(store).load(disturbed, n -> {}))
                    .isInstanceOfAny(ConflictException.class, InvalidRequestException.class);
            assertThat(SimulatedStore.content(store)).isEqualTo(Map.of("k", "theirs"));
            assertThat(store.admin().verify().violations()).isEmpty();
        });
    }

    /** At any call: nothing or all is there, every record has its index entries, and a repeat succeeds. */
    @Test
    void aCrashAndARepeat() {
        int partly = 0;
        for (long seed = 1; seed <= 25; seed++) {
            long run = seed;
            int[] seen = {0};
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                TreeMap<String, String> records = records(400);
                cloud.machine("a").start("load", () -> {
                    Penstock store = cloud.open("a");
                    indexed(store).load(shuffled(records), n -> {});
                });
                cloud.sleep(Duration.ofMillis(200 + new Random(run).nextInt(3000)));
                cloud.machine("a").crash();
                cloud.sleep(Duration.ofMinutes(1));
                try (Penstock store = cloud.open("b")) {
                    RecordCollection<String, String> words = indexed(store);
                    Map<String, String> content = content(words);
                    assertThat(content).as("seed=" + run).isIn(Map.of(), records);
                    if (content.isEmpty()) {
                        seen[0] = cloud.keys("pages/").size() > 2 ? 1 : 0;
                        words.load(shuffled(records), n -> {});
                    }
                    assertThat(content(words)).as("seed=" + run).isEqualTo(records);
                    try (Scan<Entry<String, String>> found = index(words).scan(KeySpan.all())) {
                        assertThat(found.stream().count()).as("seed=" + run).isEqualTo(400);
                    }
                    assertThat(store.admin().verify().violations())
                            .as("seed=" + run)
                            .isEmpty();
                }
            });
            partly += seen[0];
        }
        assertThat(partly).as("crashes in the middle").isPositive();
    }

    /** Its entries are no rows, until a load of other records, or after a move into a domain. */
    @Test
    void aCrashBeforeTheRecordsLeavesNoRows() {
        int[] left = {0};
        for (long seed = 1; seed <= 40; seed++) {
            long run = seed;
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                TreeMap<String, String> records = records(100);
                cloud.machine("a").start("load", () -> {
                    RecordCollection<String, String> words = words(cloud.open("a"));
                    covering(words);
                    words.load(shuffled(records), n -> {});
                });
                cloud.sleep(Duration.ofMillis(200 + new Random(run).nextInt(1500)));
                cloud.machine("a").crash();
                cloud.sleep(Duration.ofMinutes(1));
                try (Penstock store = cloud.open("b")) {
                    RecordCollection<String, String> words = words(store);
                    CoveringIndex<Long, String, String, String> lengths = covering(words);
                    Map<String, String> content = content(words);
                    assertThat(rows(lengths)).as("seed=" + run).isEqualTo(content);
                    if (content.isEmpty()) {
                        words.load(List.of(new Entry<>("other", "value")).iterator(), n -> {});
                        left[0] += store.admin().check(lengths.index()).leftOver() > 0 ? 1 : 0;
                        assertThat(rows(lengths)).as("seed=" + run).isEqualTo(Map.of("other", "value"));
                        store.admin().moveInto("words", "shop", progress -> {});
                        cloud.sleep(Duration.ofMinutes(2));
                        assertThat(rows(lengths)).as("seed=" + run).isEqualTo(Map.of("other", "value"));
                    }
                }
            });
        }
        assertThat(left[0]).as("crashes before the records").isPositive();
    }

    /** One row shows that the load has ended, which the others need no record for. */
    @Test
    void rowsOfALoadReadFewRecords() {
        store((cloud, store) -> {
            RecordCollection<String, String> words = words(store);
            CoveringIndex<Long, String, String, String> lengths = covering(words);
            TreeMap<String, String> records = records(5_000);
            records.values().removeIf(value -> value.length() > 100); // entries do not carry large parts
            words.load(shuffled(records), n -> {});
            long pages = store.admin().inspect().stats().trees().getLast().pages();
            MeterRegistry meters = new SimpleMeterRegistry();
            try (Penstock other = Penstock.open(cloud.settings("b").meters(meters))) {
                CoveringIndex<Long, String, String, String> theirs = covering(words(other));
                try (Scan<Entry<String, String>> scan = theirs.scan(KeySpan.all())) {
                    scan.next();
                }
                double before = gets(meters);
                assertThat(rows(theirs)).isEqualTo(records);
                assertThat(gets(meters) - before)
                        .as("beside " + pages + " of the index")
                        .isLessThan(pages + 20.0);
            }
        });
    }

    private static double gets(MeterRegistry meters) {
        return meters.find("penstock.requests").tag("op", "s3.get").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    @SuppressWarnings("unchecked")
    private static Index<String, String, String> index(RecordCollection<String, String> words) {
        return (Index<String, String, String>) words.indexes().getFirst();
    }

    @Test
    void pagesAreFilledAndPutAsTheSettingsSay() {
        store((cloud, store) -> {
            TreeMap<String, String> records = records(3000);
            long full = pagesOf(store, "full", records, 100, 16);
            long half = pagesOf(store, "half", records, 50, 16);
            assertThat(half).isGreaterThan(full * 17 / 10);
            long narrow = nanosOf(cloud, () -> load(store, "narrow", records, 90, 1));
            long wide = nanosOf(cloud, () -> load(store, "wide", records, 90, 32));
            assertThat(wide).isLessThan(narrow / 3);
        });
    }

    private static long nanosOf(SimulatedStore cloud, Runnable work) {
        long before = cloud.machine("main").nanoTime();
        work.run();
        return cloud.machine("main").nanoTime() - before;
    }

    private static RecordCollection<String, String> load(
            Penstock store, String name, Map<String, String> records, int fillPercent, int width) {
        RecordCollection<String, String> words = store.collection(name, Keys.string(), Json.of(String.class));
        words.load(shuffled(records), fillPercent, width, read -> {});
        return words;
    }

    private static long pagesOf(Penstock store, String name, Map<String, String> records, int fillPercent, int width) {
        assertThat(content(load(store, name, records, fillPercent, width))).isEqualTo(records);
        return store.admin().inspect().stats().trees().stream()
                .filter(tree -> tree.collection().equals(name))
                .findFirst()
                .orElseThrow()
                .pages();
    }

    @Test
    void aLoadIsRefusedWithSettingsOutOfRange() {
        store((cloud, store) -> {
            Iterator<Entry<String, String>> none = Collections.emptyIterator();
            assertThatThrownBy(() -> words(store).load(none, 9, 16, read -> {}))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.INVALID_SETTING));
            assertThatThrownBy(() -> words(store).load(none, 90, 0, read -> {}))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("width");
        });
    }

    /** The move waits for the load, and takes the records along. */
    @Test
    void aLoadIsDoneBesideAMoveThatHasBegun() {
        store((cloud, store) -> {
            RecordCollection<String, String> words = words(store);
            assertThat(words.isLoadable()).isTrue();
            try (Penstock mover = cloud.open("mover")) {
                List<Task<Boolean>> moves = new ArrayList<>();
                Iterator<Entry<String, String>> records = IntStream.range(0, 1_000)
                        .mapToObj(i -> new Entry<>("k" + i, "v"))
                        .peek(entry -> {
                            if (entry.key().equals("k500")) {
                                moves.add(cloud.machine("mover").fork("mover", () -> {
                                    mover.admin().moveInto("words", "main", progress -> {});
                                    return true;
                                }));
                                cloud.sleep(Duration.ofSeconds(70));
                            }
                        })
                        .iterator();
                assertThat(words.load(records, read -> {})).isEqualTo(1_000);
                assertThat(moves.getFirst().join()).isTrue();
                assertThat(words(mover).scan(KeySpan.all()).stream()).hasSize(1_000);
            }
        });
    }
}
