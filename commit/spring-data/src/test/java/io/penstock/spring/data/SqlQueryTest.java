package io.penstock.spring.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.spring.PenstockTemplate;
import io.penstock.spring.data.Customer.Status;
import io.penstock.sql.PenstockSql;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.IncorrectResultSizeDataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.Sort;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.support.TransactionTemplate;

/** Methods of repositories that read by SQL. */
class SqlQueryTest {
    private static final int MANY = 20;

    /** A projection by the names of columns. */
    record Total(String city, long customers, double mean) {}

    interface ByInterface {
        String getCity();

        long getCustomers();
    }

    interface BySql extends Repository<Customer, String> {
        @Query("select * from customers where points >= ?2 and city = ?1 order by id")
        List<Customer> inCity(String city, int points);

        @Query("select id from customers where city = :city and status = :status -- as :status\n and id <> ':none'")
        Stream<Customer> gold(Status status, String city);

        @Query("select id from customers where email = ?")
        Optional<Customer> byEmail(String email);

        @Query("select id from customers where city in (:cities) order by id desc;")
        List<Customer> in(Collection<String> cities, Limit limit);

        @Query("select city, count(*) as customers, avg(cast(points as double)) as mean from customers"
                + " where city is not null group by city order by city")
        List<Total> totals();

        @Query("select city, count(*) as customers from customers group by city order by city")
        List<ByInterface> interfaces();

        @Query("select count(*) from customers where since < :before")
        int before(Instant before);

        @Query("select max(since) from customers")
        Instant latest();

        @Query("select sum(points) from customers")
        long sum();

        @Query("select count(*) from customers where status in (:states)")
        int with(Status... states);

        @Query("select id from customers where points > ?1 order by points, id")
        Page<Customer> page(int points, Pageable page);

        @Query("select id from customers order by id")
        Slice<Customer> slice(Pageable page);

        @Query("select email from customers where points >= ? and points < ? order by id")
        List<String> mails(Pageable page, int least, int most);
    }

    interface ByValues extends Repository<Purchase, UUID> {
        @Query("select id from purchases where \"user\" in (?2) and \"at\" <= ?1")
        List<Purchase> of(Instant latest, UUID... users);

        @Query("select count(*) from purchases where cast(\"at\" as date) in (:days)")
        long on(List<LocalDate> days);

        @Query("select count(*) from purchases where \"at\" >= ?")
        long since(LocalDate day);

        @Query("select \"user\" from purchases where \"at\" is null")
        UUID unknown();

        @Query("select cast(max(\"at\") as date) from purchases")
        LocalDate latest();

        @Query("select 5000000000 from purchases")
        int tooMuch();
    }

    @Test
    void valuesAreThoseOfJava() {
        with(context -> {
            Purchases all = context.getBean(Purchases.class);
            UUID ada = new UUID(1, 1);
            UUID bob = new UUID(1, 2);
            LocalDate day = LocalDate.of(2026, 7, 2);
            Purchase first = all.save(new Purchase(new UUID(0, 1), ada, Instant.parse("2026-07-01T23:59:59.999Z")));
            Purchase second = all.save(new Purchase(new UUID(0, 2), bob, Instant.parse("2026-07-02T00:00:00Z")));
            ByValues found = repository(context, ByValues.class);
            assertThat(found.of(second.at(), ada, bob)).containsExactlyInAnyOrder(first, second);
            assertThat(found.of(first.at(), ada, bob)).containsExactly(first);
            assertThat(found.of(second.at(), bob)).containsExactly(second);
            assertThat(found.on(List.of(day, day.plusDays(1)))).isEqualTo(1);
            assertThat(found.latest()).isEqualTo(day);
            assertThatThrownBy(() -> found.since(day))
                    .isInstanceOf(InvalidDataAccessApiUsageException.class)
                    .hasMessageContaining("bind an Instant");
            all.delete(first);
            assertThatThrownBy(found::tooMuch).hasStackTraceContaining("5000000000");
            all.save(new Purchase(new UUID(0, 3), ada, null));
            assertThat(found.unknown()).isEqualTo(ada);
        });
    }

    /** Writes what is no record. */
    private record Broken() implements PayloadCodec<Customer> {
        @Override
        public Bytes encode(Customer value) {
            return Bytes.utf8("{");
        }

        @Override
        public Customer decode(Bytes bytes) {
            throw new CorruptDataException("never a record");
        }
    }

    /** What the store says of a record that SQL cannot read comes out as from any other method. */
    @Test
    void aFailureOfTheStoreIsItself() {
        with(context -> {
            Penstock store = context.getBean(Penstock.class);
            Customer put = store.collection(Customer.class, new Broken()).put(Customer.of(MANY));
            assertThat(put.id()).isEqualTo("c020");
            BySql found = bySql(context);
            assertThatThrownBy(found::sum)
                    .isInstanceOf(DataAccessException.class)
                    .hasCauseInstanceOf(CorruptDataException.class);
        });
    }

    private static void with(Consumer<ApplicationContext> test) {
        Place.on(Settings.inMemory()).run(context -> {
            context.getBean(Customers.class)
                    .saveAll(IntStream.range(0, MANY).mapToObj(Customer::of).toList());
            test.accept(context);
        });
    }

    private static BySql bySql(ApplicationContext context) {
        return repository(context, BySql.class);
    }

    private static <R> R repository(ApplicationContext context, Class<R> type) {
        PenstockRepositoryFactory factory =
                new PenstockRepositoryFactory(context.getBean(Penstock.class), context.getBean(PenstockTemplate.class));
        factory.setBeanFactory(context);
        return factory.getRepository(type);
    }

    private static List<String> ids(Stream<Customer> found) {
        return found.map(Customer::id).toList();
    }

    private static List<Customer> all() {
        return IntStream.range(0, MANY).mapToObj(Customer::of).toList();
    }

    @Test
    void entitiesAreThoseOfTheSql() {
        with(context -> {
            BySql found = bySql(context);
            assertThat(found.inCity("city1", 3))
                    .isNotEmpty()
                    .isEqualTo(context.getBean(Customers.class).findByCity("city1").stream()
                            .filter(each -> each.points() >= 3)
                            .sorted(Comparator.comparing(Customer::id))
                            .toList());
            assertThat(ids(found.gold(Status.GOLD, "city1")))
                    .isNotEmpty()
                    .containsExactlyInAnyOrderElementsOf(ids(all().stream()
                            .filter(each -> "city1".equals(each.city()) && each.status() == Status.GOLD)));
            assertThat(found.byEmail("7@example.org").map(Customer::id)).contains("c007");
            assertThat(found.byEmail("none")).isEmpty();
            List<String> in = ids(all().reversed().stream()
                    .filter(each -> List.of("city0", "city2").contains(each.city())));
            assertThat(ids(found.in(List.of("city0", "city2"), Limit.of(3)).stream()))
                    .isEqualTo(in.subList(0, 3));
            assertThat(ids(found.in(List.of("city0", "city2"), Limit.unlimited()).stream()))
                    .isEqualTo(in);
        });
    }

    @Test
    void rowsAreRecordsInterfacesAndValues() {
        with(context -> {
            BySql found = bySql(context);
            assertThat(found.totals()).hasSize(3).allSatisfy(total -> {
                List<Customer> there = all().stream()
                        .filter(each -> total.city().equals(each.city()))
                        .toList();
                assertThat(total.customers()).isEqualTo(there.size());
                assertThat(total.mean())
                        .isEqualTo(there.stream()
                                .mapToInt(Customer::points)
                                .average()
                                .orElseThrow());
            });
            assertThat(found.interfaces())
                    .extracting(ByInterface::getCity, ByInterface::getCustomers)
                    .contains(tuple("city1", (long) all().stream()
                            .filter(each -> "city1".equals(each.city()))
                            .toList()
                            .size()));
            Instant latest = all().stream()
                    .map(Customer::since)
                    .filter(Objects::nonNull)
                    .max(Instant::compareTo)
                    .orElseThrow();
            assertThat(found.latest()).isEqualTo(latest);
            assertThat(found.with(Status.GOLD, Status.GONE)).isEqualTo((int)
                    all().stream().filter(each -> each.status() != Status.NEW).count());
            assertThat(found.before(latest)).isEqualTo((int) all().stream()
                    .filter(each -> each.since() != null && each.since().isBefore(latest))
                    .count());
        });
    }

    record Whole(String city, int mean) {}

    interface WholeByInterface {
        String getCity();

        @Nullable
        Long getMean();
    }

    interface Means extends Repository<Customer, String> {
        @Query("select avg(points) from customers where id < ?")
        int number(String id);

        @Query("select avg(cast(points as double)) from customers where id < ?")
        Optional<Long> floating(String id);

        @Query("select cast('NaN' as double) from customers where id = ?")
        long none(String id);

        @Query("select 1e300 from customers where id = ?")
        long tooMuch(String id);

        @Query("select city, avg(points) as mean from customers where id < ? group by city")
        List<Whole> records(String id);

        @Query("select city, avg(points) as mean from customers where id < ? group by city")
        List<WholeByInterface> interfaces(String id);

        @Query("select avg(points) from customers where id < ?")
        double fraction(String id);
    }

    /** They were cut off. */
    @Test
    void aFractionIsNoWholeNumber() {
        with(context -> {
            Means means = repository(context, Means.class);
            assertThat(means.number("c003")).isEqualTo(1);
            assertThat(means.floating("c003")).contains(1L);
            assertThat(means.records("c002")).contains(new Whole("city1", 1));
            assertThat(means.interfaces("c002"))
                    .extracting(WholeByInterface::getCity, WholeByInterface::getMean)
                    .contains(tuple("city1", 1L));
            assertThat(means.interfaces("c000")).isEmpty();
            assertThat(means.fraction("c002")).isEqualTo(0.5);
            List<ThrowingCallable> refused = List.of(
                    () -> means.number("c002"),
                    () -> means.floating("c002"),
                    () -> means.none("c002"),
                    () -> means.records("c005"),
                    () -> means.interfaces("c005").forEach(WholeByInterface::getMean));
            assertThat(refused)
                    .allSatisfy(call -> assertThatThrownBy(call)
                            .isInstanceOf(InvalidDataAccessApiUsageException.class)
                            .hasMessageContaining("no whole number"));
            assertThatThrownBy(() -> means.tooMuch("c002")).isInstanceOf(RuntimeException.class);
        });
    }

    interface Arrays extends Repository<Customer, String> {
        @Query("select id, points from customers order by id")
        List<Object[]> columns(Limit limit);

        @Query("select a.id, b.id, a.id from customers a join customers b on a.points = b.points order by a.id, b.id")
        List<Object[]> twice(Limit limit);

        @Query("select id, points, since from customers where id > ? order by id")
        Page<Object[]> page(String id, Pageable page);

        @Query("select id from customers order by id")
        Customer[] customers();

        @Query("select city from customers order by id")
        String[] cities();
    }

    @Test
    void arraysAreColumnsInOrder() {
        with(context -> {
            Arrays found = repository(context, Arrays.class);
            assertThat(found.columns(Limit.of(2))).containsExactly(new Object[] {"c000", 0}, new Object[] {"c001", 1});
            assertThat(found.twice(Limit.of(2)))
                    .containsExactly(new Object[] {"c000", "c000", "c000"}, new Object[] {"c000", "c007", "c000"});
            assertThat(found.page("c000", PageRequest.of(0, 2)).getContent())
                    .containsExactly(
                            new Object[] {"c001", 1, Instant.ofEpochSecond(1)},
                            new Object[] {"c002", 2, Instant.ofEpochSecond(2)});
            assertThat(found.customers()).hasSize(MANY);
            assertThat(found.cities()).hasSize(MANY).startsWith("city0", "city1");
        });
    }

    @Test
    void pagesAreParts() {
        with(context -> {
            BySql found = bySql(context);
            Page<Customer> page = found.page(0, PageRequest.of(1, 5));
            List<Customer> sorted = all().stream()
                    .filter(each -> each.points() > 0)
                    .sorted(Comparator.comparing(Customer::points).thenComparing(Customer::id))
                    .toList();
            assertThat(page.getTotalElements()).isEqualTo(sorted.size());
            assertThat(ids(page.stream())).isEqualTo(ids(sorted.subList(5, 10).stream()));
            assertThat(found.page(0, Pageable.unpaged())).hasSize(sorted.size());
            Slice<Customer> last = found.slice(PageRequest.of(1, MANY / 2));
            assertThat(last.hasNext()).isFalse();
            assertThat(last).hasSize(MANY / 2);
            assertThat(found.slice(PageRequest.of(0, MANY / 2)).hasNext()).isTrue();
            assertThat(found.mails(PageRequest.of(2, 3), 0, 100))
                    .containsExactly("6@example.org", "7@example.org", "8@example.org");
            assertThatThrownBy(() -> found.mails(PageRequest.of(0, 3, Sort.by("id")), 0, 100))
                    .isInstanceOf(InvalidDataAccessApiUsageException.class)
                    .hasMessageContaining("says its order itself");
            assertThatThrownBy(() -> found.mails(PageRequest.of(2_000, 10), 0, 100))
                    .isInstanceOf(InvalidDataAccessApiUsageException.class);
            assertThatThrownBy(() -> found.in(List.of(), Limit.unlimited()))
                    .isInstanceOf(InvalidDataAccessApiUsageException.class)
                    .hasMessageContaining("no empty list");
        });
    }

    @Test
    void aQueryIsInTheTransactionOfTheThread() {
        with(context -> {
            BySql found = bySql(context);
            Customers customers = context.getBean(Customers.class);
            context.getBean(TransactionTemplate.class).executeWithoutResult(status -> {
                customers.save(Customer.of(100));
                assertThat(found.byEmail("100@example.org")).isPresent();
                status.setRollbackOnly();
            });
            assertThat(found.byEmail("100@example.org")).isEmpty();
        });
    }

    interface Many extends Repository<Customer, String> {
        @Query("select id from customers")
        Customer one();

        @Query("select city from customers")
        List<Customer> withoutKey();
    }

    @Test
    void resultsThatDoNotFitAreRefused() {
        with(context -> {
            Many found = new PenstockRepositoryFactory(
                            context.getBean(Penstock.class), context.getBean(PenstockTemplate.class))
                    .getRepository(Many.class);
            assertThatThrownBy(found::one).isInstanceOf(IncorrectResultSizeDataAccessException.class);
            assertThatThrownBy(found::withoutKey)
                    .isInstanceOf(InvalidDataAccessApiUsageException.class)
                    .hasMessageContaining("id");
        });
    }

    /** Joins are of the application's own tables. */
    interface Joined extends Repository<Customer, String> {
        @Query("select c.id from customers c join \"Ticket\" t on t.holder = c.id where t.hall = ?")
        List<Customer> inHall(String hall);
    }

    @Test
    void anApplicationsOwnTablesAreJoined() {
        with(context -> {
            Penstock store = context.getBean(Penstock.class);
            context.getBean(Tickets.class).save(new Ticket(new Ticket.Seat("a", 1), "c003"));
            ((ConfigurableApplicationContext) context)
                    .getBeanFactory()
                    .registerSingleton(
                            "sql",
                            PenstockSql.of(store, store.collection(Customer.class), store.collection(Ticket.class)));
            PenstockRepositoryFactory factory =
                    new PenstockRepositoryFactory(store, context.getBean(PenstockTemplate.class));
            factory.setBeanFactory(context);
            assertThat(ids(factory.getRepository(Joined.class).inHall("a").stream()))
                    .containsExactly("c003");
        });
    }

    interface Wrong extends Repository<Customer, String> {
        @Query("select none from customers")
        List<Customer> wrong();
    }

    interface WithoutParameter extends Repository<Customer, String> {
        @Query("select id from customers where id = :id")
        List<Customer> wrong(String other);
    }

    interface WithoutPlace extends Repository<Customer, String> {
        @Query("select id from customers")
        List<Customer> wrong(String id);
    }

    interface Sorted extends Repository<Customer, String> {
        @Query("select id from customers")
        List<Customer> sorted(Sort sort);
    }

    interface OneArray extends Repository<Customer, String> {
        @Query("select id, city from customers fetch next 1 rows only")
        Object[] columns();
    }

    interface MaybeAnArray extends Repository<Customer, String> {
        @Query("select id, city from customers fetch next 1 rows only")
        Optional<Object[]> columns();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Wrong.class,
                WithoutParameter.class,
                WithoutPlace.class,
                Sorted.class,
                OneArray.class,
                MaybeAnArray.class
            })
    void whatIsWrongIsToldAtTheStart(Class<?> repository) {
        try (Penstock store = Penstock.open(Settings.inMemory())) {
            PenstockRepositoryFactory factory = new PenstockRepositoryFactory(store, new PenstockTemplate(store));
            assertThatThrownBy(() -> factory.getRepository(repository))
                    .hasStackTraceContaining("org.springframework.dao.InvalidDataAccess");
        }
    }
}
