package io.penstock.spring.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.annotation.Key;
import io.penstock.annotation.Stored;
import io.penstock.spring.PenstockTemplate;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.Sort;
import org.springframework.data.domain.Window;
import org.springframework.data.repository.CrudRepository;
import org.springframework.data.repository.ListCrudRepository;
import org.springframework.data.repository.ListPagingAndSortingRepository;
import org.springframework.data.repository.Repository;
import org.springframework.data.util.Streamable;

/** Names, keys and numbers that a repository could easily take for others. */
class RepositoryEdgesTest {
    private Penstock store;
    private PenstockRepositoryFactory factory;

    @BeforeEach
    void open() {
        store = Penstock.open(Settings.inMemory());
        factory = new PenstockRepositoryFactory(store, new PenstockTemplate(store));
    }

    @AfterEach
    void close() {
        store.close();
    }

    interface IgnoresCase extends Repository<Customer, String> {
        List<Customer> findByCityIgnoreCase(String city);
    }

    interface IgnoresAllCase extends Repository<Customer, String> {
        List<Customer> findByCityAndEmailAllIgnoreCase(String city, String email);
    }

    @Test
    void noNameIgnoresCase() {
        for (Class<?> repository : List.of(IgnoresCase.class, IgnoresAllCase.class)) {
            assertThatThrownBy(() -> factory.getRepository(repository))
                    .as(repository.getSimpleName())
                    .hasRootCauseInstanceOf(InvalidDataAccessApiUsageException.class)
                    .hasStackTraceContaining("compares text as it is");
        }
    }

    interface DeletesFirst extends Repository<Customer, String> {
        long deleteFirst2ByCityOrderByPoints(String city);
    }

    interface RemovesTop extends Repository<Customer, String> {
        List<Customer> removeTopCustomersByCity(String city);
    }

    interface CountsFirst extends Repository<Customer, String> {
        long countDistinctFirst3ByCity(String city);
    }

    interface AsksForFirst extends Repository<Customer, String> {
        boolean existsFirstByCity(String city);
    }

    interface DeletesTopics extends Repository<Customer, String> {
        long deleteTopicsByCity(String city);

        long deleteByCity(String city, Limit limit);
    }

    /** Spring limits what is found alone: all of a city were deleted, and not the first two. */
    @Test
    void noLimitOfANameIsPassedOver() {
        for (Class<?> repository :
                List.of(DeletesFirst.class, RemovesTop.class, CountsFirst.class, AsksForFirst.class)) {
            assertThatThrownBy(() -> factory.getRepository(repository))
                    .as(repository.getSimpleName())
                    .hasRootCauseInstanceOf(InvalidDataAccessApiUsageException.class)
                    .hasStackTraceContaining("First and Top");
        }
        CrudRepository<Customer, String> customers = factory.getRepository(WrongKeys.class);
        customers.saveAll(IntStream.range(0, 40).mapToObj(Customer::of).toList());
        DeletesTopics some = factory.getRepository(DeletesTopics.class);
        assertThat(some.deleteByCity("city1", Limit.of(2))).isEqualTo(2);
        assertThat(some.deleteTopicsByCity("city1")).isEqualTo(11);
        assertThat(customers.count()).isEqualTo(27);
    }

    interface CountsSome extends Repository<Customer, String> {
        long countByCity(String city, Limit limit);
    }

    interface CountsAPage extends Repository<Customer, String> {
        List<Long> countByCity(String city, Pageable page);
    }

    interface AsksForSome extends Repository<Customer, String> {
        boolean existsByCity(String city, Limit limit);
    }

    interface DeletesAPage extends Repository<Customer, String> {
        List<Customer> deleteByCity(String city, Pageable page);
    }

    /** A limit did not count, and of a page its number: the first records were deleted. */
    @Test
    void noPartIsPassedOver() {
        for (Class<?> repository :
                List.of(CountsSome.class, CountsAPage.class, AsksForSome.class, DeletesAPage.class)) {
            refuses(repository, "a Pageable");
        }
    }

    private void refuses(Class<?> repository, String told) {
        assertThatThrownBy(() -> factory.getRepository(repository))
                .as(repository.getSimpleName())
                .hasRootCauseInstanceOf(InvalidDataAccessApiUsageException.class)
                .hasStackTraceContaining(told);
    }

    interface DeletesWhether extends Repository<Customer, String> {
        boolean deleteByCity(String city);
    }

    interface DeletesText extends Repository<Customer, String> {
        String deleteByCity(String city);
    }

    interface DeletesOne extends Repository<Customer, String> {
        Customer deleteByCity(String city);
    }

    interface DeletesMaybe extends Repository<Customer, String> {
        Optional<Customer> deleteByCity(String city);
    }

    interface DeletesMaybeANumber extends Repository<Customer, String> {
        Optional<Long> deleteByCity(String city);
    }

    interface DeletesAStream extends Repository<Customer, String> {
        Stream<Customer> deleteByCity(String city);
    }

    interface DeletesAWindow extends Repository<Customer, String> {
        Window<Customer> deleteByCity(String city, ScrollPosition from);
    }

    interface DeletesLater extends Repository<Customer, String> {
        CompletableFuture<Long> deleteByCity(String city);
    }

    interface Deletes extends Repository<Customer, String> {
        void deleteById(String id);

        int deleteByEmail(String email);

        Integer deleteByPoints(int points);

        Long removeByEmail(String email);

        Set<Customer> deleteByCity(String city);

        Streamable<Customer> removeByCity(String city);

        Iterable<Customer> deleteByStatus(Customer.Status status);
    }

    /** The records were gone when the result did not fit. */
    @Test
    void aDeleteReturnsANumberOrAListOrNothing() {
        for (Class<?> repository : List.of(
                DeletesWhether.class,
                DeletesText.class,
                DeletesOne.class,
                DeletesMaybe.class,
                DeletesMaybeANumber.class,
                DeletesAStream.class,
                DeletesAWindow.class,
                DeletesLater.class)) {
            refuses(repository, "a delete returns");
        }
        CrudRepository<Customer, String> customers = factory.getRepository(WrongKeys.class);
        customers.saveAll(IntStream.range(0, 14).mapToObj(Customer::of).toList());
        Deletes some = factory.getRepository(Deletes.class);
        some.deleteById("c000");
        assertThat(some.deleteByEmail("1@example.org")).isEqualTo(1);
        assertThat(some.removeByEmail("2@example.org")).isEqualTo(1L);
        assertThat(some.deleteByPoints(3)).isEqualTo(2);
        assertThat(some.deleteByCity("city0")).hasSize(3);
        assertThat(some.removeByCity("city1")).hasSize(3);
        assertThat(some.deleteByStatus(Customer.Status.GONE)).hasSize(3);
        assertThat(customers.count()).isZero();
    }

    @Stored("jobs")
    record Job(@Key String id, String queue, int turn) {
        /** Runs once, when a record is read. */
        static final AtomicReference<@Nullable Runnable> MEANWHILE = new AtomicReference<>();

        Job {
            Runnable meanwhile = MEANWHILE.getAndSet(null);
            if (meanwhile != null) {
                meanwhile.run();
            }
        }
    }

    interface Jobs extends ListCrudRepository<Job, String> {
        Optional<Job> findFirstByQueueOrderByTurn(String queue);

        List<Job> findFirst2ByQueueOrderByTurn(String queue);
    }

    /** Below SNAPSHOT the value up to which records are read, and these records, are of two states. */
    @Test
    void theFirstRecordIsFoundBesideWritersAtAllLevels() {
        for (ConsistencyLevel level : ConsistencyLevel.values()) {
            try (Penstock other = Penstock.open(Settings.inMemory().level(level))) {
                Jobs jobs = new PenstockRepositoryFactory(other, new PenstockTemplate(other)).getRepository(Jobs.class);
                save(other, jobs, new Job("a", "q", 1), new Job("b", "q", 2));
                Job.MEANWHILE.set(() -> save(other, jobs, new Job("a", "q", 3)));
                assertThat(jobs.findFirstByQueueOrderByTurn("q"))
                        .as("%s", level)
                        .isPresent();
                Job.MEANWHILE.set(() -> save(other, jobs, new Job("b", "q", 4)));
                assertThat(jobs.findFirst2ByQueueOrderByTurn("q"))
                        .as("%s", level)
                        .hasSize(2);
            }
        }
    }

    /** Saves on another thread, so that all read it. */
    private static void save(Penstock store, Jobs jobs, Job... some) {
        store.tasks()
                .fork("other", () -> {
                    jobs.saveAll(List.of(some));
                    return store.admin().checkpoint();
                })
                .join();
    }

    @Stored("readings")
    record Reading(@Key Instant moment, String text) {}

    record At(String meter, Instant moment) {}

    @Stored("meterings")
    record Metering(@Key At at, String text) {}

    interface Readings extends ListCrudRepository<Reading, Instant> {
        @Query("select text from readings order by moment")
        List<String> texts();

        @Query("select moment from readings")
        <R> List<R> all(Class<R> type);
    }

    interface ReadingsBySql extends Repository<Reading, Instant> {
        @Query("select * from readings")
        List<Reading> all();
    }

    interface MeteringsBySql extends Repository<Metering, At> {
        @Query("select * from meterings")
        Page<Metering> all(Pageable page);
    }

    @Test
    void recordsOfSqlHaveKeysThatSqlDoesNotRound() {
        for (Class<?> repository : List.of(ReadingsBySql.class, MeteringsBySql.class)) {
            assertThatThrownBy(() -> factory.getRepository(repository))
                    .as(repository.getSimpleName())
                    .hasRootCauseInstanceOf(InvalidDataAccessApiUsageException.class)
                    .hasStackTraceContaining("rounds the instants");
        }
        Readings readings = factory.getRepository(Readings.class);
        readings.save(new Reading(Instant.parse("2026-01-01T00:00:00.123456Z"), "fine"));
        assertThat(readings.texts()).containsExactly("fine");
        assertThatThrownBy(() -> readings.all(Reading.class)).hasMessageContaining("rounds the instants");
    }

    interface WrongKeys extends ListCrudRepository<Customer, String> {
        @Query("select id || '!' as id from customers")
        List<Customer> others();
    }

    @Test
    void aRowOfSqlWithoutARecordIsToldWhereReadsAreOfOneState() {
        WrongKeys customers = factory.getRepository(WrongKeys.class);
        customers.save(Customer.of(1));
        assertThatThrownBy(customers::others)
                .isInstanceOf(InvalidDataAccessApiUsageException.class)
                .hasMessageContaining("no record has");
    }

    @Stored("measures")
    record Measure(
            @Key long id,
            long count,
            double level,
            @Nullable BigDecimal price) {}

    interface Measures extends ListCrudRepository<Measure, Long> {
        List<Measure> findByLevel(double level);

        List<Measure> findFirst2ByOrderByLevelDesc();

        Window<Measure> findByOrderByLevelDesc(ScrollPosition from, Limit limit);

        List<Measure> findByPriceGreaterThan(double price);

        List<Measure> findByCount(BigDecimal count);
    }

    private Measures measures() {
        Measures all = factory.getRepository(Measures.class);
        all.save(new Measure(1, 9007199254740993L, 1.5, new BigDecimal("1.5")));
        all.save(new Measure(2, 2, Double.NaN, null));
        all.save(new Measure(3, 3, Double.POSITIVE_INFINITY, new BigDecimal("2")));
        all.save(new Measure(4, 4, 2, null));
        return all;
    }

    private static List<Long> ids(Iterable<Measure> found) {
        return Streamable.of(found).map(Measure::id).toList();
    }

    @Test
    void numbersThatAreNoneAreValuesOfFloatingPointOnly() {
        Measures all = measures();
        assertThat(ids(all.findByLevel(Double.NaN))).containsExactly(2L);
        assertThat(ids(all.findByLevel(Double.POSITIVE_INFINITY))).containsExactly(3L);
        assertThat(ids(all.findFirst2ByOrderByLevelDesc())).containsExactly(2L, 3L);
        Window<Measure> first = all.findByOrderByLevelDesc(ScrollPosition.keyset(), Limit.of(1));
        assertThat(ids(first)).containsExactly(2L);
        assertThat(ids(all.findByOrderByLevelDesc(first.positionAt(0), Limit.of(5))))
                .containsExactly(3L, 4L, 1L);
        assertThat(ids(all.findByPriceGreaterThan(1.5))).containsExactly(3L);
        for (double none : List.of(Double.NaN, Double.NEGATIVE_INFINITY)) {
            assertThatThrownBy(() -> all.findByPriceGreaterThan(none))
                    .isInstanceOf(InvalidDataAccessApiUsageException.class)
                    .hasMessageContaining("price");
        }
    }

    @Test
    void numbersAreComparedExactly() {
        Measures all = measures();
        assertThat(ids(all.findByCount(new BigDecimal("9007199254740993.0")))).containsExactly(1L);
        for (String other : List.of("9007199254740992.5", "9223372036854775808")) {
            assertThatThrownBy(() -> all.findByCount(new BigDecimal(other)))
                    .as(other)
                    .isInstanceOf(RuntimeException.class);
        }
    }

    record Part(String user, int number) {}

    @Stored("shares")
    record Share(@Key Part key, String user, String text) {}

    interface Shares extends ListCrudRepository<Share, Part> {
        @Query("select text from shares where \"user\" = :user")
        List<String> texts(String user);

        @Query("select * from shares")
        <R> List<R> all(Class<R> type);
    }

    interface SharesBySql extends Repository<Share, Part> {
        @Query("select * from shares where text = 'x'")
        List<Share> all();
    }

    /** The column of the part was that of the property, whose value is the key of another record. */
    @Test
    void recordsOfSqlHaveKeysThatAreColumns() {
        assertThatThrownBy(() -> factory.getRepository(SharesBySql.class))
                .hasRootCauseInstanceOf(InvalidDataAccessApiUsageException.class)
                .hasStackTraceContaining("named like a property");
        Shares shares = factory.getRepository(Shares.class);
        shares.save(new Share(new Part("ada", 1), "bob", "x"));
        shares.save(new Share(new Part("bob", 1), "ada", "y"));
        assertThat(shares.texts("ada")).containsExactly("y");
        assertThatThrownBy(() -> shares.all(Share.class)).hasMessageContaining("named like a property");
    }

    record Of(UUID user, String text, int number) {}

    /** A class whose key has a part that is no field, and one named like a property. */
    @Stored("notes")
    record Note(@Key Of of, String text) {}

    interface Notes extends ListCrudRepository<Note, Of>, ListPagingAndSortingRepository<Note, Of> {
        Slice<Note> findByText(String text, Pageable page);

        Window<Note> findWindowBy(ScrollPosition from, Limit limit);
    }

    @Test
    void pagesAreInOrderByKeysWhosePartsAreNoFields() {
        Notes notes = factory.getRepository(Notes.class);
        List<Note> all = IntStream.range(0, 12)
                .mapToObj(i -> new Note(new Of(new UUID(0, i % 3), "k" + i % 2, i), "text"))
                .sorted(Comparator.comparing((Note note) -> note.of().user())
                        .thenComparing(note -> note.of().text())
                        .thenComparing(note -> note.of().number()))
                .toList();
        notes.saveAll(all.reversed());
        for (Sort sort : List.of(Sort.unsorted(), Sort.by("text"))) {
            List<Note> paged = new ArrayList<>();
            for (int page = 0; page < 3; page++) {
                paged.addAll(notes.findAll(PageRequest.of(page, 4, sort)).getContent());
            }
            assertThat(paged).isEqualTo(all);
        }
        assertThat(notes.findByText("text", PageRequest.of(1, 5)).getContent()).isEqualTo(all.subList(5, 10));
        Window<Note> first = notes.findWindowBy(ScrollPosition.offset(), Limit.of(5));
        assertThat(first.getContent()).isEqualTo(all.subList(0, 5));
        assertThat(notes.findWindowBy(first.positionAt(4), Limit.of(5)).getContent())
                .isEqualTo(all.subList(5, 10));
        assertThatThrownBy(() -> notes.findWindowBy(ScrollPosition.keyset(), Limit.of(5)))
                .isInstanceOf(InvalidDataAccessApiUsageException.class)
                .hasMessageContaining("scroll by an offset");
    }
}
