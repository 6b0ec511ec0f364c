package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.penstock.annotation.Expires;
import io.penstock.annotation.Included;
import io.penstock.annotation.Indexed;
import io.penstock.annotation.Key;
import io.penstock.annotation.Stored;
import io.penstock.annotation.Unique;
import io.penstock.annotation.Version;
import io.penstock.core.ConflictException;
import io.penstock.core.DuplicateException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.task.Task;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Query;
import io.penstock.query.QueryPlan;
import io.penstock.testkit.World;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Classes of values whose annotations declare their collection, and the same declarations in code. */
class AnnotationsTest {
    enum Genre {
        NOVEL,
        SCIENCE
    }

    @Stored("books")
    record Book(
            @Key String isbn,
            @Indexed String author,
            @Included("author") String title,
            @Included("author") BigDecimal price,
            @Indexed("by-genre") Genre genre,
            @Unique UUID copy,
            @Version long version) {
        Book at(String newPrice) {
            return new Book(isbn, author, title, new BigDecimal(newPrice), genre, copy, version);
        }
    }

    record Seat(String hall, int number) {}

    record Ticket(@Key Seat seat, String holder) {}

    record Login(@Key String token, @Expires Instant until) {}

    /** A class with private final fields, as compilers of other languages write them. */
    @Stored(value = "counters", domain = "counters")
    static class Counter {
        @Key
        private final long id;

        @Version
        private final Integer version;

        @Indexed
        private final Instant at;

        @JsonCreator
        Counter(@JsonProperty("id") long id, @JsonProperty("version") Integer version, @JsonProperty("at") Instant at) {
            this.id = id;
            this.version = version;
            this.at = at;
        }

        public long getId() {
            return id;
        }

        public Integer getVersion() {
            return version;
        }

        public Instant getAt() {
            return at;
        }
    }

    private static Book book(String isbn, String author) {
        return new Book(isbn, author, "On " + isbn, BigDecimal.ONE, Genre.SCIENCE, new UUID(1, isbn.hashCode()), 0);
    }

    private static void at(ConsistencyLevel level, BiConsumer<SimulatedStore, Penstock> test) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("a").level(level))) {
                test.accept(cloud, store);
            }
        });
    }

    private static void inStore(BiConsumer<SimulatedStore, Penstock> test) {
        at(ConsistencyLevel.SERIALIZABLE, test);
    }

    @Test
    void theKeyIsTakenFromTheValue() {
        inStore((cloud, store) -> {
            RecordCollection<String, Book> books = store.collection(Book.class);
            Book stored = books.put(book("1", "Knuth"));
            assertThat(books.name()).isEqualTo("books");
            assertThat(stored.version()).isEqualTo(1);
            assertThat(books.get("1")).contains(stored);
            books.remove(stored);
            assertThat(books.get("1")).isEmpty();
            assertThatThrownBy(() -> books.put("2", book("1", "Knuth")))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("another key than its own");
        });
    }

    @Test
    void aKeyOfAnotherClassIsRefused() {
        inStore((cloud, store) -> {
            RecordCollection<Long, Book> wrong = store.collection(Book.class);
            assertThatThrownBy(() -> wrong.get(1L))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("java.lang.Long");
        });
    }

    @Test
    void anOldVersionIsRefusedAndNotRepeated() {
        inStore((cloud, store) -> {
            RecordCollection<String, Book> books = store.collection(Book.class);
            Book shown = books.put(book("1", "Knuth"));
            Book sold = books.put(shown.at("2"));
            assertThat(sold.version()).isEqualTo(2);
            AtomicInteger bodies = new AtomicInteger();
            assertThatThrownBy(() -> store.transact(transaction -> {
                        bodies.incrementAndGet();
                        return transaction.put(books, shown.at("3"));
                    }))
                    .isInstanceOf(ConflictException.class)
                    .satisfies(code(ErrorCode.STALE_VERSION));
            assertThat(bodies).hasValue(1);
            assertThatThrownBy(() -> books.remove(shown)).satisfies(code(ErrorCode.STALE_VERSION));
            assertThatThrownBy(() -> books.put("1", shown)).satisfies(code(ErrorCode.STALE_VERSION));
            assertThatThrownBy(() -> books.put(book("1", "Knuth"))).satisfies(code(ErrorCode.STALE_VERSION));
            assertThat(books.get("1")).contains(sold);
            books.remove(sold);
            assertThatThrownBy(() -> books.put(sold)).satisfies(code(ErrorCode.STALE_VERSION));
        });
    }

    @Test
    void updatesAndPutsIfAbsentKeepVersions() {
        inStore((cloud, store) -> {
            RecordCollection<String, Book> books = store.collection(Book.class);
            assertThat(books.putIfAbsent("1", book("1", "Knuth"))).isTrue();
            assertThat(books.update("1", found -> found.map(each -> each.at("7"))))
                    .map(Book::version)
                    .contains(2L);
            Book now = books.get("1").orElseThrow();
            assertThat(now.version()).isEqualTo(2);
            assertThat(books.replace("1", now, now.at("8"))).isTrue();
            assertThat(books.get("1").orElseThrow().version()).isEqualTo(3);
            store.transact(transaction -> {
                Book first = transaction.put(books, transaction.get(books, "1").orElseThrow());
                return transaction.put(books, first.at("9"));
            });
            assertThat(books.get("1").orElseThrow().version()).isEqualTo(5);
        });
    }

    @Test
    void indexesAreFoundByNameAndByQueries() {
        inStore((cloud, store) -> {
            RecordCollection<String, Book> books = store.collection(Book.class);
            Book first = books.put(book("1", "Knuth"));
            Book second = books.put(book("2", "Gray"));
            Index<String, String, Book> byAuthor = books.index("author");
            assertThat(values(byAuthor.scan("Gray"))).containsExactly(second);
            Index<String, String, Book> byGenre = books.index("by-genre");
            assertThat(values(byGenre.scan("SCIENCE"))).containsExactly(first, second);
            Index<UUID, String, Book> byCopy = books.index("copy");
            assertThat(values(byCopy.scan(first.copy()))).containsExactly(first);
            assertThatThrownBy(() -> books.index("title"))
                    .isInstanceOf(InvalidRequestException.class)
                    .satisfies(code(ErrorCode.UNDECLARED_INDEX));
            assertThatThrownBy(() -> books.put(new Book("3", "x", "t", BigDecimal.ONE, Genre.NOVEL, first.copy(), 0)))
                    .isInstanceOf(DuplicateException.class);
            store.transact(transaction -> {
                for (int i = 10; i < 300; i++) {
                    transaction.put(books, book("" + i, "author" + i));
                }
                return true;
            });
            store.admin().checkpoint();
            cloud.sleep(Duration.ofMinutes(1));
            Field<?> author = books.fields().get("author");
            Query query = Query.where(equal(author, "Gray"))
                    .select(author, books.fields().get("title"), books.fields().get("price"));
            QueryPlan plan = books.plan(query);
            assertThat(plan.access()).isEqualTo(QueryPlan.Access.COVERING);
            assertThat(books.query(query).stream().map(row -> row.at(1))).containsExactly("On 2");
        });
    }

    @SuppressWarnings("unchecked")
    private static Condition equal(Field<?> field, String value) {
        return ((Field<String>) field).eq(value);
    }

    private static <K, V> List<V> values(Scan<Entry<K, V>> scan) {
        try (Stream<Entry<K, V>> entries = scan.stream()) {
            return entries.map(Entry::value).toList();
        }
    }

    @Test
    void aKeyOfSeveralPartsGivesItsPartsAsFields() {
        inStore((cloud, store) -> {
            RecordCollection<Seat, Ticket> tickets = store.collection(Ticket.class);
            tickets.put(new Ticket(new Seat("A", 1), "Ada"));
            tickets.put(new Ticket(new Seat("B", 1), "Bob"));
            assertThat(tickets.name()).isEqualTo("Ticket");
            assertThat(tickets.get(new Seat("B", 1))).map(Ticket::holder).contains("Bob");
            Condition inB = equal(tickets.fields().get("hall"), "B");
            assertThat(values(tickets.find(inB))).extracting(Ticket::holder).containsExactly("Bob");
            assertThat(tickets.plan(Query.where(inB)).access()).isEqualTo(QueryPlan.Access.KEYS);
        });
    }

    record Id(String text) {}

    record Named(@Key Id id, int number) {}

    @Test
    void aKeyOfOnePartIsAFieldToo() {
        inStore((cloud, store) -> {
            RecordCollection<Id, Named> named = store.collection(Named.class);
            named.put(new Named(new Id("a"), 1));
            named.put(new Named(new Id("b"), 2));
            assertThat(values(named.find(equal(named.fields().get("text"), "b"))))
                    .extracting(Named::number)
                    .containsExactly(2);
        });
    }

    @Test
    void aClassThatIsNoRecordHasTheSame() {
        at(ConsistencyLevel.ATOMIC, (cloud, store) -> {
            RecordCollection<Long, Counter> counters = store.collection(Counter.class);
            Counter first = counters.put(new Counter(7, null, Instant.EPOCH));
            assertThat(first.getVersion()).isEqualTo(1);
            assertThat(counters.get(7L).orElseThrow().getVersion()).isEqualTo(1);
            assertThatThrownBy(() -> counters.put(new Counter(7, null, Instant.EPOCH)))
                    .satisfies(code(ErrorCode.STALE_VERSION));
            Index<Instant, Long, Counter> byTime = counters.index("at");
            assertThat(values(byTime.scan(KeySpan.all())))
                    .extracting(Counter::getId)
                    .containsExactly(7L);
        });
    }

    @Test
    void recordsExpireAtTheirOwnTime() {
        inStore((cloud, store) -> {
            RecordCollection<String, Login> logins = store.collection(Login.class);
            Instant now = Instant.ofEpochMilli(cloud.machine("a").nowMillis());
            logins.put(new Login("short", now.plusSeconds(60)));
            logins.put(new Login("long", now.plusSeconds(600)));
            logins.put(new Login("never", null));
            logins.put(new Login("ages", Instant.MAX));
            cloud.sleep(Duration.ofSeconds(61));
            assertThat(keys(logins)).containsExactly("ages", "long", "never");
            cloud.sleep(Duration.ofSeconds(600));
            assertThat(keys(logins)).containsExactly("ages", "never");
            logins.put(new Login("past", Instant.MIN));
            assertThat(logins.get("past")).isEmpty();
        });
    }

    private static <K> List<K> keys(RecordCollection<K, ?> collection) {
        List<K> keys = new ArrayList<>();
        collection.scan(KeySpan.all()).forEach(entry -> keys.add(entry.key()));
        return keys;
    }

    /** A value without annotations, for the declarations in code. */
    record Note(String id, String tag, long version) {}

    @Test
    void theSameIsDeclaredInCode() {
        inStore((cloud, store) -> {
            RecordCollection<String, Note> notes = store.collection("notes", Keys.string(), Json.of(Note.class))
                    .keyedBy(Note::id)
                    .versioned(Note::version, (note, version) -> new Note(note.id(), note.tag(), version))
                    .expiresAt(note -> note.tag().isEmpty() ? Instant.MIN : null);
            Note stored = notes.put(new Note("1", "a", 0));
            assertThat(stored).isEqualTo(new Note("1", "a", 1));
            assertThatThrownBy(() -> notes.put(new Note("1", "b", 0))).satisfies(code(ErrorCode.STALE_VERSION));
            notes.put(new Note("2", "", 0));
            assertThat(notes.get("2")).isEmpty();
        });
    }

    @Test
    void concurrentEditsOfOneVersionHaveOneWinner() {
        inStore((cloud, store) -> {
            try (Penstock other = Penstock.open(cloud.settings("b").level(ConsistencyLevel.SERIALIZABLE))) {
                Book shown = store.<String, Book>collection(Book.class).put(book("1", "Knuth"));
                AtomicInteger stale = new AtomicInteger();
                AtomicInteger stored = new AtomicInteger();
                List<Penstock> stores = List.of(store, other);
                List<Task<?>> edits = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    RecordCollection<String, Book> books = stores.get(i % 2).collection(Book.class);
                    String price = "1" + i;
                    edits.add(cloud.machine("ab".substring(i % 2, i % 2 + 1)).fork("edit", () -> {
                        try {
                            books.put(shown.at(price));
                            stored.incrementAndGet();
                        } catch (ConflictException conflict) {
                            assertThat(conflict.code()).isEqualTo(ErrorCode.STALE_VERSION);
                            stale.incrementAndGet();
                        }
                        return true;
                    }));
                }
                edits.forEach(Task::join);
                assertThat(stored).hasValue(1);
                assertThat(stale).hasValue(5);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {NoKey.class, TwoKeys.class, OddKey.class, TextVersion.class, LongExpiry.class, Lost.class})
    void contradictionsAreRefused(Class<?> type) {
        inStore((cloud, store) -> assertThatThrownBy(() -> store.collection(type))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(type.getName()));
    }

    @Test
    void aVersionNeedsADomain() {
        at(
                ConsistencyLevel.ATOMIC,
                (cloud, store) -> assertThatThrownBy(() -> store.collection(Book.class))
                        .isInstanceOf(InvalidRequestException.class)
                        .satisfies(code(ErrorCode.DOMAIN_MISMATCH)));
    }

    @Test
    void aCollectionThatDoesNotKnowKeysOfValuesTakesNone() {
        inStore((cloud, store) -> {
            RecordCollection<String, String> words = store.collection("words", Keys.string(), Json.of(String.class));
            assertThatThrownBy(() -> words.put("a"))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("keyedBy");
            assertThat(words.get("a")).isEqualTo(Optional.empty());
        });
    }

    record NoKey(String a) {}

    record TwoKeys(@Key String a, @Key String b) {}

    record OddKey(@Key double a) {}

    record TextVersion(@Key String a, @Version String b) {}

    record LongExpiry(@Key String a, @Expires long b) {}

    record Lost(@Key String a, @Included("none") String b) {}

    @Test
    void fieldsOfTypesAreThoseOfTheClass() {
        inStore((cloud, store) -> {
            RecordCollection<String, Book> books = store.collection(Book.class);
            assertThat(books.fields().all())
                    .extracting(Field::name)
                    .containsExactly("isbn", "author", "title", "price", "genre", "copy", "version");
            assertThat(books.fields().get("genre").type()).isEqualTo(FieldType.STRING);
        });
    }
}
