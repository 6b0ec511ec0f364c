package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of a store with one client at the front door, on any servers. */
abstract class FrontDoorContract {
    record Book(String title, @Nullable String author, int sold) {}

    /** A body that may throw anything. */
    interface Body {
        void run() throws Exception;
    }

    /** Runs {@code body} with the servers. */
    abstract void run(Body body);

    /** Settings of a client on the same servers; one at a time. Small pages. */
    abstract Settings settings();

    abstract void pause(Duration duration);

    private static RecordCollection<String, String> words(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    private static RecordCollection<String, Book> books(Penstock store) {
        return store.collection("books", Keys.string(), Json.of(Book.class));
    }

    private static Index<String, String, Book> byAuthor(RecordCollection<String, Book> books) {
        return books.index("by-author", Keys.string(), Book::author);
    }

    static <T> List<T> all(Scan<T> scan) {
        try (scan) {
            return scan.stream().toList();
        }
    }

    private static List<String> keys(Scan<? extends Entry<String, ?>> scan) {
        return all(scan).stream().map(Entry::key).toList();
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC"})
    void putGetDelete(ConsistencyLevel level) {
        run(() -> {
            try (Penstock store = Penstock.open(settings().level(level))) {
                RecordCollection<String, String> words = words(store);
                assertThat(words.get("a")).isEmpty();
                words.put("a", "1");
                assertThat(words.get("a")).hasValue("1");
                words.put("a", "2");
                assertThat(words.get("a")).hasValue("2");
                words.delete("a");
                assertThat(words.get("a")).isEmpty();
                words.delete("a");
                words.put("a", "3");
                store.admin().checkpoint();
                assertThat(words.get("a")).hasValue("3");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatWasClosedIsThereWhenOpenedAgain(ConsistencyLevel level) {
        run(() -> {
            try (Penstock store = Penstock.open(settings().level(level))) {
                RecordCollection<String, String> words = words(store);
                for (int i = 0; i < 100; i++) {
                    words.put("k" + i, "v" + i);
                }
                words.delete("k7");
            }
            try (Penstock store = Penstock.open(settings().level(level))) {
                RecordCollection<String, String> words = words(store);
                assertThat(words.get("k99")).hasValue("v99");
                assertThat(words.get("k7")).isEmpty();
                assertThat(keys(words.scan(KeySpan.all()))).hasSize(99);
                assertThat(store.admin().backlog().total()).isZero();
                assertThat(store.admin().verify().violations()).isEmpty();
            }
        });
    }

    @Test
    void closeIsIdempotentAndQuick() {
        run(() -> {
            Penstock store = Penstock.open(settings());
            words(store).put("a", "1");
            store.close();
            store.close();
        });
    }

    @Test
    void aTransactionSeesItsOwnWrites() {
        run(() -> {
            try (Penstock store = Penstock.open(settings())) {
                RecordCollection<String, String> words = words(store);
                words.put("b", "old");
                words.put("d", "old");
                try (Transaction tx = store.begin()) {
                    tx.put(words, "a", "new");
                    tx.put(words, "b", "new");
                    tx.delete(words, "d");
                    tx.put(words, "e", "new");
                    tx.put(words, "c", "gone");
                    tx.delete(words, "c");
                    assertThat(tx.get(words, "b")).hasValue("new");
                    assertThat(tx.get(words, "c")).isEmpty();
                    assertThat(keys(tx.scan(words, KeySpan.all()))).containsExactly("a", "b", "e");
                    assertThat(keys(tx.scan(words, KeySpan.all().reversed()))).containsExactly("e", "b", "a");
                    assertThat(words.get("b")).as("not yet committed").hasValue("old");
                    assertThat(tx.commit()).isNotEqualTo(Stamp.ZERO);
                }
                assertThat(keys(words.scan(KeySpan.all()))).containsExactly("a", "b", "e");
            }
        });
    }

    @Test
    void whatIsAbortedNeverWas() {
        run(() -> {
            try (Penstock store = Penstock.open(settings())) {
                RecordCollection<String, String> words = words(store);
                try (Transaction tx = store.begin()) {
                    tx.put(words, "a", "1");
                    tx.abort();
                }
                try (Transaction tx = store.begin()) {
                    tx.put(words, "b", "1");
                }
                assertThatThrownBy(() -> store.transact(tx -> {
                            tx.put(words, "c", "1");
                            throw new IllegalStateException("changed my mind");
                        }))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("changed my mind");
                store.admin().checkpoint();
                assertThat(keys(words.scan(KeySpan.all()))).isEmpty();
            }
        });
    }

    @Test
    void anEmptyTransactionHasNoStamp() {
        run(() -> {
            try (Penstock store = Penstock.open(settings())) {
                assertThat(store.begin().commit()).isEqualTo(Stamp.ZERO);
                RecordCollection<String, String> words = words(store);
                Transaction tx = store.begin();
                tx.put(words, "a", "1");
                assertThat(tx.commit().client()).isEqualTo(store.clientId());
            }
        });
    }

    @Test
    void eachTransactionMayChooseItsLevel() {
        run(() -> {
            try (Penstock store = Penstock.open(settings().level(ConsistencyLevel.BASIC))) {
                RecordCollection<String, String> words = words(store);
                for (ConsistencyLevel level : Levels.except(ConsistencyLevel.SNAPSHOT, ConsistencyLevel.SERIALIZABLE)) {
                    try (Transaction tx = store.begin(level)) {
                        assertThat(tx.level()).isEqualTo(level);
                        tx.put(words, level.name(), "1");
                        tx.commit();
                    }
                    store.transact(level, tx -> {
                        tx.put(words, level.name() + "2", "1");
                        return true;
                    });
                }
                store.admin().checkpoint();
                pause(Duration.ofSeconds(11)); // one time to live
                assertThat(keys(words.scan(KeySpan.all()))).hasSize(8);
            }
        });
    }

    /** Against a sorted map, through splits and checkpoints at random times. */
    @Test
    void scansAgreeWithASortedMap() {
        run(() -> {
            for (long seed = 1; seed <= 3; seed++) {
                Random random = new Random(seed);
                String run = "seed=" + seed;
                TreeMap<String, String> expected = new TreeMap<>();
                try (Penstock store = Penstock.open(settings().prefix("scans" + seed))) {
                    RecordCollection<String, String> words = words(store);
                    for (int round = 0; round < 30; round++) {
                        store.transact(tx -> {
                            for (int i = random.nextInt(20); i >= 0; i--) {
                                change(tx, words, expected, random);
                            }
                            compare(tx, words, expected, random, run);
                            return true;
                        });
                        if (random.nextInt(4) == 0) {
                            store.admin().checkpoint();
                        }
                        compare(store.begin(), words, expected, random, run);
                    }
                    store.admin().checkpoint();
                    assertThat(store.admin().verify().violations()).as(run).isEmpty();
                }
            }
        });
    }

    private static void change(
            Transaction tx, RecordCollection<String, String> words, TreeMap<String, String> expected, Random random) {
        String key = "key-" + random.nextInt(200);
        if (random.nextInt(4) == 0) {
            tx.delete(words, key);
            expected.remove(key);
        } else {
            String value = "value-" + random.nextInt() + "x".repeat(random.nextInt(60));
            tx.put(words, key, value);
            expected.put(key, value);
        }
    }

    private static void compare(
            Transaction tx,
            RecordCollection<String, String> words,
            TreeMap<String, String> expected,
            Random random,
            String run) {
        String from = "key-" + random.nextInt(200);
        String to = "key-" + random.nextInt(200);
        String low = from.compareTo(to) < 0 ? from : to;
        String high = from.compareTo(to) < 0 ? to : from;
        KeySpan<String> between = KeySpan.between(low, high);
        check(tx.scan(words, KeySpan.all()), expected, run);
        check(tx.scan(words, KeySpan.all().reversed()), expected.descendingMap(), run);
        check(tx.scan(words, KeySpan.from(low)), expected.tailMap(low), run);
        check(tx.scan(words, between), expected.subMap(low, true, high, false), run);
        check(
                tx.scan(words, between.reversed()),
                expected.subMap(low, true, high, false).descendingMap(),
                run);
        assertThat(all(tx.scan(words, KeySpan.between("z", "a")))).as(run).isEmpty();
        assertThat(tx.get(words, low)).as(run).isEqualTo(java.util.Optional.ofNullable(expected.get(low)));
    }

    private static void check(Scan<Entry<String, String>> scan, Map<String, String> expected, String run) {
        List<Entry<String, String>> wanted = new ArrayList<>();
        expected.forEach((key, value) -> wanted.add(new Entry<>(key, value)));
        assertThat(all(scan)).as(run).isEqualTo(wanted);
    }

    @Test
    void anIndexFollowsItsRecords() {
        run(() -> {
            try (Penstock store = Penstock.open(settings())) {
                RecordCollection<String, Book> books = books(store);
                Index<String, String, Book> byAuthor = byAuthor(books);
                assertThat(byAuthor.name()).isEqualTo("by-author");
                books.put("1", new Book("one", "Knuth", 0));
                books.put("2", new Book("two", "Gray", 0));
                books.put("3", new Book("three", "Knuth", 0));
                books.put("4", new Book("four", null, 0));
                for (int round = 0; round < 2; round++) {
                    assertThat(keys(byAuthor.scan("Knuth"))).containsExactly("1", "3");
                    assertThat(keys(byAuthor.scan("Knut"))).isEmpty();
                    assertThat(keys(byAuthor.scan(KeySpan.all()))).containsExactly("2", "1", "3");
                    assertThat(keys(byAuthor.scan(KeySpan.all().reversed()))).containsExactly("3", "1", "2");
                    assertThat(keys(byAuthor.scan(KeySpan.from("H")))).containsExactly("1", "3");
                    assertThat(keys(byAuthor.scan(KeySpan.between("A", "Knuth"))))
                            .containsExactly("2");
                    store.admin().checkpoint();
                }
                books.put("1", new Book("one", "Gray", 1));
                books.delete("2");
                books.put("4", new Book("four", "Knuth", 0));
                books.put("3", new Book("three", null, 0));
                for (int round = 0; round < 2; round++) {
                    assertThat(keys(byAuthor.scan("Knuth"))).containsExactly("4");
                    assertThat(keys(byAuthor.scan("Gray"))).containsExactly("1");
                    assertThat(all(byAuthor.scan("Gray")).getFirst().value().sold())
                            .isEqualTo(1);
                    store.admin().checkpoint();
                }
                assertThat(store.admin().verify().violations()).isEmpty();
            }
        });
    }

    @Test
    void anIndexIsRightWithinATransaction() {
        run(() -> {
            try (Penstock store = Penstock.open(settings())) {
                RecordCollection<String, Book> books = books(store);
                Index<String, String, Book> byAuthor = byAuthor(books);
                books.put("1", new Book("one", "Knuth", 0));
                store.transact(tx -> {
                    tx.put(books, "1", new Book("one", "Gray", 0));
                    tx.put(books, "1", new Book("one", "Lamport", 0));
                    tx.put(books, "2", new Book("two", "Gray", 0));
                    tx.delete(books, "2");
                    tx.put(books, "3", new Book("three", "Knuth", 0));
                    tx.put(books, "3", new Book("three", "Gray", 0));
                    tx.put(books, "3", new Book("three", "Knuth", 0));
                    assertThat(keys(tx.scan(byAuthor, "Gray"))).isEmpty();
                    assertThat(keys(tx.scan(byAuthor, "Lamport"))).containsExactly("1");
                    assertThat(keys(tx.scan(byAuthor, KeySpan.all()))).containsExactly("3", "1");
                    return true;
                });
                store.admin().checkpoint();
                assertThat(keys(byAuthor.scan(KeySpan.all()))).containsExactly("3", "1");
            }
        });
    }

    @Test
    void theNamesOfCollectionsAndTheirBytes() {
        run(() -> {
            try (Penstock store = Penstock.open(settings())) {
                assertThat(store.collections()).isEmpty();
                RecordCollection<String, Book> books = books(store);
                byAuthor(books);
                books.put("1", new Book("one", "Knuth", 0));
                words(store).put("a", "1");
                assertThat(store.collections()).containsExactly("books", "words");
                RecordCollection<Bytes, Bytes> raw = store.rawCollection("words");
                assertThat(raw.get(Bytes.utf8("a"))).hasValue(Bytes.utf8("\"1\""));
                raw.put(Bytes.utf8("b"), Bytes.utf8("\"2\""));
                assertThat(words(store).get("b")).hasValue("2");
                assertThat(all(store.rawCollection("books").scan(KeySpan.all())))
                        .hasSize(1);
            }
        });
    }

    @Test
    void emptyPayloadsAreRecordsToo() {
        run(() -> {
            try (Penstock store = Penstock.open(settings())) {
                RecordCollection<Bytes, Bytes> raw = store.collection("raw", Keys.bytes(), PayloadCodec.bytes());
                raw.put(Bytes.utf8("a"), Bytes.EMPTY);
                assertThat(raw.get(Bytes.utf8("a"))).hasValue(Bytes.EMPTY);
                store.admin().checkpoint();
                pause(Duration.ofSeconds(1));
                assertThat(raw.get(Bytes.utf8("a"))).hasValue(Bytes.EMPTY);
                assertThat(all(raw.scan(KeySpan.all()))).hasSize(1);
            }
        });
    }
}
