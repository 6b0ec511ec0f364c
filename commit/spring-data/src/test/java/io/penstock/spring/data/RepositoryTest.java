package io.penstock.spring.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.penstock.spring.data.Customer.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.IncorrectResultSizeDataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.Sort;
import org.springframework.data.domain.Window;

/** What users of Spring Data expect of a repository, case by case. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RepositoryTest {
    private static final int MANY = 40;

    List<Place> places() {
        return List.of(Place.MEMORY, Place.DIRECTORY);
    }

    /** Runs a test with forty customers. */
    private static void with(Place place, Consumer<Customers> test) {
        place.run(contexts -> contexts.run(context -> {
            Customers customers = context.getBean(Customers.class);
            customers.saveAll(all());
            test.accept(customers);
        }));
    }

    private static List<Customer> all() {
        List<Customer> all = new ArrayList<>(
                IntStream.range(0, MANY - 1).mapToObj(Customer::of).toList());
        all.add(Customer.of(MANY - 1, null, 3));
        return all;
    }

    private static String[] ids(Predicate<Customer> wanted) {
        return all().stream().filter(wanted).map(Customer::id).toArray(String[]::new);
    }

    private static List<String> ids(List<Customer> found) {
        return found.stream().map(Customer::id).toList();
    }

    @ParameterizedTest
    @MethodSource("places")
    void recordsAreSavedFoundAndDeleted(Place place) {
        place.run(contexts -> contexts.run(context -> crud(context.getBean(Customers.class))));
    }

    private static void crud(Customers customers) {
        assertThat(customers.findAll()).isEmpty();
        assertThat(customers.count()).isZero();
        Customer saved = customers.save(Customer.of(1));
        assertThat(saved.version()).isEqualTo(1);
        assertThat(customers.findById("c001")).contains(saved);
        assertThat(customers.findByEmail("1@example.org")).contains(saved);
        assertThat(customers.existsById("c001")).isTrue();
        assertThat(customers.existsById("c002")).isFalse();
        assertThat(customers.saveAll(List.of(Customer.of(3), Customer.of(2)))).hasSize(2);
        assertThat(ids(customers.findAll())).containsExactly("c001", "c002", "c003");
        assertThat(ids(customers.findAllById(List.of("c003", "c001", "none"))))
                .containsExactlyInAnyOrder("c001", "c003");
        assertThat(customers.count()).isEqualTo(3);
        customers.delete(saved);
        customers.deleteById("c002");
        customers.deleteById("none");
        assertThat(ids(customers.findAll())).containsExactly("c003");
        customers.saveAll(List.of(Customer.of(1), Customer.of(4), Customer.of(5), Customer.of(6)));
        customers.deleteAllById(List.of("c001", "none"));
        customers.deleteAll(customers.findAllById(List.of("c004")));
        assertThat(ids(customers.findAll())).containsExactly("c003", "c005", "c006");
        customers.deleteAll();
        assertThat(customers.count()).isZero();
    }

    @ParameterizedTest
    @MethodSource("places")
    void anOldVersionAndATakenValueAreRefused(Place place) {
        with(place, customers -> {
            Customer read = customers.findById("c001").orElseThrow();
            Customer saved = customers.save(read.with(50));
            assertThatThrownBy(() -> customers.save(read.with(60)))
                    .isInstanceOf(OptimisticLockingFailureException.class);
            assertThatThrownBy(() -> customers.delete(read)).isInstanceOf(OptimisticLockingFailureException.class);
            assertThatThrownBy(() -> customers.save(Customer.of(1)))
                    .isInstanceOf(OptimisticLockingFailureException.class);
            assertThat(customers.findById("c001")).contains(saved);
            Customer other = new Customer("other", "1@example.org", "", Status.NEW, 0, null, 0);
            assertThatThrownBy(() -> customers.save(other)).isInstanceOf(DuplicateKeyException.class);
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void findersFindWhatTheirNamesSay(Place place) {
        with(place, RepositoryTest::find);
    }

    private static void find(Customers customers) {
        assertThat(ids(customers.findByCity("city1"))).containsExactlyInAnyOrder(ids(in("city1")));
        assertThat(ids(customers.findByCity(null))).containsExactly("c039");
        assertThat(ids(customers.findByCityNot("city1"))).containsExactlyInAnyOrder(ids(in("city0", "city2")));
        assertThat(ids(customers.findByCityNot(null))).containsExactlyInAnyOrder(ids(in("city0", "city1", "city2")));
        assertThat(ids(customers.findByCityAndStatus("city1", Status.GOLD)))
                .containsExactlyInAnyOrder(ids(in("city1").and(each -> each.status() == Status.GOLD)));
        assertThat(ids(customers.findByCityOrPointsGreaterThanEqual("city1", 5)))
                .containsExactlyInAnyOrder(ids(in("city1").or(each -> each.points() >= 5)));
        assertThat(ids(customers.findByCityAndPointsLessThanOrCityAndPointsGreaterThan("city0", 2, "city1", 4)))
                .containsExactlyInAnyOrder(ids(in("city0")
                        .and(each -> each.points() < 2)
                        .or(in("city1").and(each -> each.points() > 4))));
        assertThat(ids(customers.findByPointsBetween(2, 4)))
                .containsExactlyInAnyOrder(ids(each -> each.points() >= 2 && each.points() <= 4));
        assertThat(ids(customers.findBySinceAfter(Instant.ofEpochSecond(1))))
                .containsExactlyInAnyOrder(
                        ids(each -> each.since() != null && each.since().getEpochSecond() > 1));
        assertThat(ids(customers.findBySinceIsNull())).containsExactlyInAnyOrder(ids(each -> each.since() == null));
        assertThat(ids(customers.findBySinceIsNotNullAndPointsLessThanEqual(1)))
                .containsExactlyInAnyOrder(ids(each -> each.since() != null && each.points() <= 1));
        assertThat(ids(customers.findByCityIn(List.of("city0", "city2", "none"))))
                .containsExactlyInAnyOrder(ids(in("city0", "city2")));
        assertThat(customers.findByCityIn(List.of())).isEmpty();
        assertThat(ids(customers.findByStatusIn(Status.NEW, Status.GONE)))
                .containsExactlyInAnyOrder(ids(each -> each.status() != Status.GOLD));
        assertThat(ids(customers.findByCityNotIn(List.of("city0", "city2"))))
                .containsExactlyInAnyOrder(ids(in("city1")));
        assertThat(ids(customers.findByIdStartingWith("c00")))
                .containsExactlyInAnyOrder(ids(each -> each.id().startsWith("c00")));
        assertThat(customers.countByCity("city1")).isEqualTo(ids(in("city1")).length);
        assertThat(customers.existsByEmail("7@example.org")).isTrue();
        assertThat(customers.existsByEmail("none")).isFalse();
        assertThat(customers.streamByCity("city1")).hasSize(ids(in("city1")).length);
    }

    private static Predicate<Customer> in(String... cities) {
        return each -> each.city() != null && Arrays.asList(cities).contains(each.city());
    }

    @ParameterizedTest
    @MethodSource("places")
    void deletesTellWhatTheyDeleted(Place place) {
        with(place, customers -> {
            assertThat(customers.deleteByCity("city1")).isEqualTo(ids(in("city1")).length);
            assertThat(customers.findByCity("city1")).isEmpty();
            assertThat(customers.removeByStatus(Status.NEW))
                    .extracting(Customer::id)
                    .containsExactlyInAnyOrder(ids(in("city1").negate().and(each -> each.status() == Status.NEW)));
            assertThat(ids(customers.findAll()))
                    .containsExactly(ids(in("city1").negate().and(each -> each.status() != Status.NEW)));
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void oneResultIsOne(Place place) {
        with(place, customers -> {
            assertThat(customers.findByCityAndPoints("none", 1)).isNull();
            assertThat(customers.findByEmail("none")).isEmpty();
            assertThatThrownBy(() -> customers.findByCityAndPoints("city0", 3))
                    .isInstanceOf(IncorrectResultSizeDataAccessException.class);
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void projectionsAreInterfaces(Place place) {
        with(place, customers -> {
            assertThat(customers.findAddressesByCity("city1"))
                    .hasSize(ids(in("city1")).length)
                    .allMatch(address -> address.getEmail().endsWith("@example.org")
                            && address.getCity().equals("city1"));
            assertThat(customers.findAnyByCity("city1", Customers.Address.class))
                    .allMatch(address -> address.getCity().equals("city1"));
            assertThat(customers.findAnyByCity("city1", Customer.class)).hasSize(ids(in("city1")).length);
        });
    }

    private static final Comparator<Customer> BY_POINTS = Comparator.comparing(Customer::points);
    private static final Comparator<Customer> BY_ID = Comparator.comparing(Customer::id);

    private static List<String> sorted(Comparator<Customer> order, Predicate<Customer> wanted) {
        return all().stream().filter(wanted).sorted(order).map(Customer::id).toList();
    }

    @ParameterizedTest
    @MethodSource("places")
    void listsAreInOrderNullsLast(Place place) {
        with(place, customers -> {
            Comparator<Customer> bySince =
                    Comparator.comparing(Customer::since, Comparator.nullsLast(Comparator.<Instant>reverseOrder()));
            assertThat(customers.findFirst3ByOrderBySinceDescPointsAsc())
                    .extracting(Customer::since, Customer::points)
                    .containsExactlyElementsOf(all().stream()
                            .sorted(bySince.thenComparing(BY_POINTS))
                            .limit(3)
                            .map(each -> tuple(each.since(), each.points()))
                            .toList());
            Sort order = Sort.by(Sort.Order.desc("since"), Sort.Order.asc("points"), Sort.Order.desc("id"));
            assertThat(ids(customers.findAll(order)))
                    .isEqualTo(sorted(bySince.thenComparing(BY_POINTS).thenComparing(BY_ID.reversed()), each -> true));
            assertThat(customers.findFirstByCityOrderByPointsDesc("city1"))
                    .map(Customer::points)
                    .contains(6);
            assertThat(ids(customers.findByStatus(Status.NEW, Sort.by("points").and(Sort.by("id")))))
                    .isEqualTo(sorted(BY_POINTS.thenComparing(BY_ID), each -> each.status() == Status.NEW));
            assertThat(customers.findByStatus(Status.NEW, Limit.of(5))).hasSize(5);
            for (Limit limit : List.of(Limit.of(2), Limit.of(9), Limit.unlimited())) {
                assertThat(ids(customers.findFirst3ByStatusOrderByIdDesc(Status.NEW, limit)))
                        .isEqualTo(sorted(BY_ID.reversed(), each -> each.status() == Status.NEW)
                                .subList(0, limit.isLimited() ? Math.min(3, limit.max()) : 3));
                assertThat(customers.findByEmail("7@example.org", limit)).isPresent();
            }
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void pagesAreOfOneOrder(Place place) {
        with(place, customers -> {
            List<String> expected = sorted(BY_POINTS.thenComparing(BY_ID), each -> each.status() == Status.NEW);
            List<String> found = new ArrayList<>();
            Pageable next = PageRequest.of(0, 4, Sort.by("points"));
            while (next.isPaged()) {
                Page<Customer> page = customers.findPageByStatus(Status.NEW, next);
                assertThat(page.getTotalElements()).isEqualTo(expected.size());
                assertThat(ids(customers.findByStatus(Status.NEW, next))).isEqualTo(ids(page.getContent()));
                found.addAll(ids(page.getContent()));
                next = page.nextPageable();
            }
            assertThat(found).isEqualTo(expected);
            assertThat(ids(customers.findAll(PageRequest.of(3, 12)).getContent()))
                    .containsExactly("c036", "c037", "c038", "c039");
            assertThat(customers.findAll(Pageable.unpaged()).getTotalElements()).isEqualTo(MANY);
            assertThat(ids(customers
                            .findByStatusOrderByPointsDescIdDesc(Status.NEW, Pageable.unpaged())
                            .getContent()))
                    .isEqualTo(expected.reversed());
            Slice<Customer> slice = customers.findSliceByPointsGreaterThan(5, PageRequest.of(0, 5));
            assertThat(ids(slice.getContent()))
                    .isEqualTo(sorted(BY_ID, each -> each.points() > 5))
                    .hasSize(5);
            assertThat(slice.hasNext()).isFalse();
            assertThat(customers.findSliceByPointsGreaterThan(-1, PageRequest.of(0, Integer.MAX_VALUE)))
                    .hasSize(MANY);
            assertThat(customers
                            .findSliceByPointsGreaterThan(5, PageRequest.of(0, 4))
                            .hasNext())
                    .isTrue();
            assertThatThrownBy(() -> customers.findAll(PageRequest.of(1001, 10)))
                    .isInstanceOf(InvalidDataAccessApiUsageException.class)
                    .hasMessageContaining("keyset");
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void windowsGoOnWhereTheyEnded(Place place) {
        with(place, RepositoryTest::scroll);
    }

    private static void scroll(Customers customers) {
        Comparator<Customer> bySince =
                Comparator.comparing(Customer::since, Comparator.nullsLast(Comparator.<Instant>reverseOrder()));
        for (ScrollPosition from : List.of(ScrollPosition.keyset(), ScrollPosition.offset())) {
            assertThat(scrolled(customers, from, Sort.unsorted())).isEqualTo(sorted(BY_ID, each -> true));
            assertThat(scrolled(customers, from, Sort.by("points").descending()))
                    .isEqualTo(sorted(BY_POINTS.reversed().thenComparing(BY_ID), each -> true));
            assertThat(scrolled(customers, from, Sort.by(Sort.Order.desc("since"), Sort.Order.asc("points"))))
                    .isEqualTo(sorted(bySince.thenComparing(BY_POINTS).thenComparing(BY_ID), each -> true));
        }
        Window<Customer> first = customers.findTop4ByStatusOrderByPointsDesc(Status.GOLD, ScrollPosition.keyset());
        customers.save(Customer.of(100, "first", 1_000));
        Window<Customer> second =
                customers.findTop4ByStatusOrderByPointsDesc(Status.GOLD, first.positionAt(first.size() - 1));
        List<String> found = new ArrayList<>(ids(first.getContent()));
        found.addAll(ids(second.getContent()));
        assertThat(found)
                .isEqualTo(sorted(BY_POINTS.reversed().thenComparing(BY_ID), each -> each.status() == Status.GOLD)
                        .subList(0, 8));
        assertThatThrownBy(() -> customers.findWindowBy(first.positionAt(0), Sort.by("email"), Limit.of(2)))
                .isInstanceOf(InvalidDataAccessApiUsageException.class)
                .hasMessageContaining("begin anew");
    }

    private static List<String> scrolled(Customers customers, ScrollPosition from, Sort sort) {
        List<String> found = new ArrayList<>();
        Window<Customer> window = customers.findWindowBy(from, sort, Limit.of(7));
        while (true) {
            found.addAll(ids(window.getContent()));
            if (!window.hasNext()) {
                return found;
            }
            window = customers.findWindowBy(window.positionAt(window.size() - 1), sort, Limit.of(7));
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void partsOfAKeyAreAskedForAndPutInOrder(Place place) {
        place.run(contexts -> contexts.run(context -> {
            Tickets tickets = context.getBean(Tickets.class);
            for (int i = 0; i < 20; i++) {
                tickets.save(new Ticket(new Ticket.Seat(i % 2 == 0 ? "a" : "b", i), "holder"));
            }
            assertThat(tickets.findBySeatHallAndSeatNumberLessThanOrderBySeatNumberDesc("b", 6))
                    .extracting(ticket -> ticket.seat().number())
                    .containsExactly(5, 3, 1);
            Window<Ticket> first = tickets.findAllBy(ScrollPosition.keyset(), Limit.of(12));
            Window<Ticket> second = tickets.findAllBy(first.positionAt(11), Limit.of(12));
            assertThat(first.getContent().getLast().seat()).isEqualTo(new Ticket.Seat("b", 3));
            assertThat(second.getContent()).hasSize(8);
            assertThat(second.getContent().getFirst().seat()).isEqualTo(new Ticket.Seat("b", 5));
        }));
    }

    @ParameterizedTest
    @MethodSource("places")
    void valuesThatDoNotFitAreRefused(Place place) {
        with(place, customers -> {
            assertThatThrownBy(() -> customers.findByCityOrPointsGreaterThanEqual("", 1L << 40))
                    .isInstanceOf(RuntimeException.class)
                    .hasMessageContaining("1099511627776");
            assertThatThrownBy(() -> customers.findAll(Sort.by("none")))
                    .isInstanceOf(InvalidDataAccessApiUsageException.class)
                    .hasMessageContaining("none");
            assertThatThrownBy(() -> customers.findByCityIn(Arrays.asList("a", null)))
                    .isInstanceOf(InvalidDataAccessApiUsageException.class)
                    .hasMessageContaining("IsNull");
        });
    }
}
