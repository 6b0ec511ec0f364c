package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ConflictException;
import io.penstock.core.InvalidRequestException;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What an answer at the levels that isolate depends on: one state, and everything that was acknowledged before. */
class StrictReadsTest {
    private static final Duration TTL = Duration.ofSeconds(2);
    private static final int AMOUNT = 100;

    record Book(String author, String title) {}

    private static Penstock open(SimulatedStore cloud, String machine, ConsistencyLevel level) {
        return Penstock.open(cloud.settings(machine).level(level).ttl(TTL).checkpointing(false));
    }

    private static void with(ConsistencyLevel level, Consumer<Two> test) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock one = open(cloud, "one", level);
                    Penstock other = open(cloud, "other", level)) {
                test.accept(new Two(cloud, one, other));
            }
        });
    }

    /** Two clients of one store. */
    private record Two(SimulatedStore cloud, Penstock one, Penstock other) {
        void sleep(Duration time) {
            cloud.sleep(time);
        }

        /** All that was committed is on pages, and no tail has it any more. */
        void drop() {
            one.admin().checkpoint();
            tick();
            sleep(TTL.multipliedBy(2));
            tick();
        }

        /** A segment tells both clients of the horizon. */
        void tick() {
            accounts(one).put("tick", 0);
            for (Penstock store : List.of(one, other)) {
                store.read(transaction -> transaction.get(banks(store), "none"));
            }
        }
    }

    private static RecordCollection<String, Integer> accounts(Penstock store) {
        return store.collection("accounts", Keys.string(), Json.of(Integer.class));
    }

    private static RecordCollection<String, Integer> banks(Penstock store) {
        return store.collection("banks", Keys.string(), Json.of(Integer.class));
    }

    private static void fill(Two two) {
        two.one.transact(transaction -> {
            Stream.of("a1", "a2", "a3", "z").forEach(key -> transaction.put(accounts(two.one), key, AMOUNT));
            transaction.put(banks(two.one), "b", 0);
            return true;
        });
        two.drop();
    }

    /** How the record that the scan must not miss goes, beside a sum that stays. */
    enum Gone {
        DELETED,
        EXPIRED;

        void apply(RecordCollection<String, Integer> accounts, String key, Transaction transaction) {
            switch (this) {
                case DELETED -> transaction.delete(accounts, key);
                case EXPIRED -> transaction.put(accounts, key, 0, Duration.ofMillis(1));
            }
        }
    }

    /**
     * A record of the log's tail behind others on a page, the last of which is hidden there: what hides it is newer
     * than the state that is read. The reader has no page of it yet.
     */
    @ParameterizedTest
    @CsvSource({"true, DELETED", "false, DELETED", "true, EXPIRED", "false, EXPIRED"})
    void aScanTellsThatWhatHidesARecordIsNewerThanItsState(boolean forwards, Gone gone) {
        with(ConsistencyLevel.SNAPSHOT, two -> {
            fill(two);
            two.one.transact(transaction -> {
                transaction.put(accounts(two.one), forwards ? "z" : "a0", forwards ? AMOUNT : 0);
                return true;
            });
            try (Penstock third = open(two.cloud, "third", ConsistencyLevel.SNAPSHOT);
                    Transaction reader = third.session().beginRead(ConsistencyLevel.SNAPSHOT)) {
                int sum = reader.get(banks(third), "b").orElseThrow();
                two.one.transact(transaction -> {
                    gone.apply(accounts(two.one), forwards ? "a3" : "a1", transaction);
                    transaction.put(banks(two.one), "b", AMOUNT);
                    return true;
                });
                two.sleep(Duration.ofSeconds(1));
                two.one.admin().checkpoint();
                KeySpan<Object> span = forwards ? KeySpan.all() : KeySpan.all().reversed();
                assertThat(sum).isZero();
                assertThatThrownBy(() -> reader.scan(accounts(third), span).stream()
                                .mapToInt(Entry::value)
                                .sum())
                        .isInstanceOf(ConflictException.class);
            }
        });
    }

    /** The ways in which a body ends without a commit, by what it has read. */
    static Stream<Function<Transaction, Boolean>> exits() {
        return Stream.of(
                transaction -> {
                    transaction.abort();
                    return false;
                },
                transaction -> {
                    transaction.abort();
                    throw new IllegalStateException("too little");
                },
                transaction -> {
                    throw new IllegalStateException("too little");
                },
                transaction -> {
                    throw new AssertionError("too little");
                },
                transaction -> {
                    throw new InvalidRequestException("too little");
                });
    }

    @ParameterizedTest
    @MethodSource("exits")
    void noBodyDecidesByAnOldState(Function<Transaction, Boolean> exit) {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            accounts(two.one).put("x", 0);
            assertThat(accounts(two.other).get("x")).contains(0);
            accounts(two.one).put("x", AMOUNT);
            two.sleep(Duration.ofSeconds(3));
            boolean enough = two.other.transact(transaction ->
                    transaction.get(accounts(two.other), "x").orElseThrow() >= AMOUNT || exit.apply(transaction));
            assertThat(enough).isTrue();
        });
    }

    /** A failure that the newest state gives is thrown as it is. */
    @Test
    void aBodyFailsByTheNewestState() {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            accounts(two.one).put("x", 0);
            assertThatThrownBy(() -> two.other.transact(transaction -> {
                        throw new AssertionError(transaction.get(accounts(two.other), "x"));
                    }))
                    .isInstanceOf(AssertionError.class);
        });
    }

    /** A scan outside of transactions that was begun meets what was written since: it fails, or has one state. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "MONOTONIC", "ATOMIC"})
    void aScanOutsideOfTransactionsIsOfOneState(ConsistencyLevel level) {
        with(level, two -> {
            RecordCollection<String, Integer> written = accounts(two.one);
            two.one.transact(transaction -> {
                for (int i = 0; i < 200; i++) {
                    transaction.put(written, String.format("k%03d", i), AMOUNT);
                }
                return true;
            });
            two.drop();
            List<Integer> amounts = new ArrayList<>();
            try (Scan<Entry<String, Integer>> scan = accounts(two.other).scan(KeySpan.all())) {
                amounts.add(scan.next().value());
                two.one.transact(transaction -> {
                    transaction.put(written, "k000", 0);
                    transaction.put(written, "k199", 2 * AMOUNT);
                    return true;
                });
                two.one.admin().checkpoint();
                scan.forEachRemaining(entry -> amounts.add(entry.value()));
                assertThat(amounts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(200 * AMOUNT);
            } catch (ConflictException moved) {
                assertThat(amounts).isNotEmpty();
            }
            assertThat(accounts(two.other).scan(KeySpan.all()).stream()
                            .mapToInt(Entry::value)
                            .sum())
                    .isEqualTo(200 * AMOUNT);
        });
    }

    private static RecordCollection<String, Book> books(Penstock store) {
        return store.collection("books", Keys.string(), Json.of(Book.class));
    }

    private static Index<String, String, Book> byAuthor(RecordCollection<String, Book> books) {
        return books.index("by-author", Keys.string(), Book::author);
    }

    /** How the program whose records a new index must not miss has opened the collection. */
    enum Old {
        DECLARES_NOTHING,
        DECLARES_THE_INDEX
    }

    /** A program that was there before an index was built, and the program that built it. */
    private record Programs(
            RecordCollection<String, Book> old,
            RecordCollection<String, Book> books,
            Index<String, String, Book> index,
            CoveringIndex<String, String, Book, String> titles) {
        static Programs of(Two two, Old how) {
            RecordCollection<String, Book> old = StrictReadsTest.books(two.one);
            if (how == Old.DECLARES_THE_INDEX) {
                var unused = byAuthor(old);
            }
            old.put("1", new Book("knuth", "one"));
            RecordCollection<String, Book> books = StrictReadsTest.books(two.other);
            Index<String, String, Book> index = byAuthor(books);
            CoveringIndex<String, String, Book, String> titles =
                    index.including("title", Json.of(String.class), Book::title);
            books.build();
            return new Programs(old, books, index, titles);
        }

        List<String> keys(Transaction transaction, String author) {
            return transaction.scan(index, author).stream().map(Entry::key).toList();
        }

        List<String> keys(Penstock store, String author) {
            return store.transact(transaction -> keys(transaction, author));
        }

        List<String> keysRead(Penstock store, String author) {
            return store.read(transaction -> keys(transaction, author));
        }

        Map<String, String> rows(Penstock store) {
            return store.transact(transaction -> {
                Map<String, String> rows = new TreeMap<>();
                transaction.scan(titles, KeySpan.all()).forEachRemaining(row -> rows.put(row.key(), row.value()));
                return rows;
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Old.class)
    void anIndexScanHasWhatAProgramThatDoesNotKnowTheIndexHasPut(Old how) {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            Programs programs = Programs.of(two, how);
            assertThat(programs.keys(two.other, "knuth")).containsExactly("1");
            programs.old.put("2", new Book("knuth", "two"));
            assertThat(programs.keys(two.other, "knuth")).containsExactly("1", "2");
        });
    }

    @ParameterizedTest
    @EnumSource(Old.class)
    void noWriteSkewThroughAnIndexThatOneWriterDoesNotKnow(Old how) {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            Programs programs = Programs.of(two, how);
            try (Transaction a = two.other.begin()) {
                assertThat(programs.keys(a, "dijkstra")).isEmpty();
                a.put(programs.books, "marker", new Book("none", "marker"));
                two.one.transact(transaction -> {
                    assertThat(transaction.get(programs.old, "marker")).isEmpty();
                    transaction.put(programs.old, "3", new Book("dijkstra", "three"));
                    return true;
                });
                assertThatThrownBy(a::commit).isInstanceOf(ConflictException.class);
            }
        });
    }

    /** After a checkpoint only the pending tree tells of the record, which the log does not write. */
    @ParameterizedTest
    @EnumSource(Old.class)
    void anIndexScanHasSuchARecordAfterItsCheckpoint(Old how) {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            Programs programs = Programs.of(two, how);
            assertThat(programs.keysRead(two.other, "lamport")).isEmpty();
            programs.old.put("4", new Book("lamport", "four"));
            two.one.admin().checkpoint();
            for (int seconds = 0; seconds < 20; seconds++) {
                two.sleep(Duration.ofSeconds(1));
                two.tick();
                assertThat(programs.keysRead(two.other, "lamport"))
                        .as(seconds + " s")
                        .containsExactly("4");
            }
        });
    }

    /** A scrub moves records from the pending tree into the index: a reader with old pages of the index sees that. */
    @Test
    void anIndexScanHasSuchARecordAfterAScrub() {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            Programs programs = Programs.of(two, Old.DECLARES_NOTHING);
            programs.old.put("4", new Book("lamport", "four"));
            two.drop();
            try (Penstock third = open(two.cloud, "third", ConsistencyLevel.SERIALIZABLE)) {
                RecordCollection<String, Book> books = books(third);
                Index<String, String, Book> index = byAuthor(books);
                assertThat(index.scan("lamport").page().records()).hasSize(1);
                assertThat(two.one.admin().scrub(programs.index).indexed()).isPositive();
                for (int seconds = 0; seconds < 20; seconds++) {
                    assertThat(index.scan("lamport").page().records())
                            .as(seconds + " s")
                            .hasSize(1);
                    assertThat(books.get("4")).isPresent();
                    two.sleep(Duration.ofSeconds(1));
                    two.tick();
                }
            }
        });
    }

    /** A covering index shows no row of a record that such a program has deleted or changed. */
    @Test
    void rowsOfACoveringIndexAreTrue() {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            Programs programs = Programs.of(two, Old.DECLARES_NOTHING);
            programs.books.put("1", new Book("knuth", "one"));
            programs.books.put("2", new Book("knuth", "two"));
            programs.books.put("3", new Book("knuth", "three"));
            two.drop();
            programs.old.delete("1");
            programs.old.put("2", new Book("hoare", "changed"));
            Map<String, String> expected = Map.of("2", "changed", "3", "three");
            assertThat(programs.rows(two.other)).isEqualTo(expected);
            two.drop();
            assertThat(programs.rows(two.other)).isEqualTo(expected);
            var unused = two.one.admin().scrub(programs.index);
            assertThat(programs.rows(two.other)).isEqualTo(expected);
        });
    }

    /** Drops the index, and puts a record by a program that has learnt of that, and so writes no entry of it. */
    private static void dropAndPut(Two two, Programs programs) {
        two.one.admin().dropIndex("books", programs.index.name());
        try (Penstock third = open(two.cloud, "third", ConsistencyLevel.SERIALIZABLE)) {
            books(third).put("5", new Book("lamport", "five"));
        }
    }

    /** Programs that find nothing by an index which another drops. */
    private static void withoutLamport(BiConsumer<Two, Programs> test) {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            Programs programs = Programs.of(two, Old.DECLARES_NOTHING);
            two.drop();
            assertThat(programs.keys(two.other, "lamport")).isEmpty();
            test.accept(two, programs);
        });
    }

    @Test
    void noWriteSkewThroughAnIndexThatWasDroppedMeanwhile() {
        withoutLamport((two, programs) -> {
            try (Transaction a = two.other.begin()) {
                assertThat(programs.keys(a, "lamport")).isEmpty();
                a.put(programs.books, "marker", new Book("none", "marker"));
                dropAndPut(two, programs);
                assertThatThrownBy(a::commit).isInstanceOf(ConflictException.class);
            }
        });
    }

    /** The definition that the client has is a moment old. */
    @Test
    void anIndexThatWasDroppedGivesNoAnswer() {
        withoutLamport((two, programs) -> {
            dropAndPut(two, programs);
            assertThatThrownBy(() -> programs.keys(two.other, "lamport"))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("does not have this index");
            assertThatThrownBy(() -> programs.index.scan("lamport").page()).isInstanceOf(InvalidRequestException.class);
        });
    }

    /** What a transaction writes by a definition without an index is found by that index in the same transaction. */
    @Test
    void anIndexScanHasTheOwnWritesOfAHandleThatLearntOfTheIndexSince() {
        with(ConsistencyLevel.SERIALIZABLE, two -> {
            RecordCollection<String, Book> old = books(two.one);
            Index<String, String, Book> index = byAuthor(old);
            old.put("1", new Book("knuth", "one"));
            try (Transaction transaction = two.one.begin()) {
                transaction.put(old, "2", new Book("knuth", "two"));
                RecordCollection<String, Book> books = books(two.other);
                var unused = byAuthor(books);
                books.build();
                two.sleep(TTL.plusSeconds(1));
                List<String> found;
                try (Scan<Entry<String, Book>> scan = transaction.scan(index, "knuth")) {
                    found = scan.stream().map(Entry::key).toList();
                } catch (ConflictException moved) {
                    return; // the build has ended what began before
                }
                assertThat(found).containsExactly("1", "2");
            }
        });
    }
}
