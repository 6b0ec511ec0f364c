package io.penstock.spring.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.query.Condition;
import io.penstock.query.Query;
import io.penstock.query.QueryPlan;
import io.penstock.spring.PenstockTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.support.TransactionTemplate;

/** Repositories as beans: found, in transactions, in two applications on one store, and refused at the start. */
class RepositoriesInContextsTest {
    private static final int THREADS = 3;
    private static final int ADDED = 10;
    private static final int MANY = 3_000;

    @Configuration(proxyBeanMethods = false)
    @EnablePenstockRepositories
    static class ByAnnotation {}

    @Test
    void theAnnotationFindsThemInItsPackage() {
        Place.bare(Settings.inMemory())
                .withUserConfiguration(ByAnnotation.class)
                .run(context -> assertThat(context.getBean(Customers.class).save(Customer.of(1)))
                        .isEqualTo(context.getBean(Customers.class).findAll().getFirst()));
    }

    @Test
    void repositoriesAreInTheTransactionOfTheThread() {
        Place.on(Settings.inMemory()).run(context -> {
            Customers customers = context.getBean(Customers.class);
            RecordCollection<String, Customer> records =
                    context.getBean(Penstock.class).collection(Customer.class);
            TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                        customers.save(Customer.of(1));
                        records.put(Customer.of(2));
                        assertThat(customers.findByCity("city1")).hasSize(1);
                        assertThat(customers.count()).isEqualTo(2);
                        throw new IllegalStateException("rolls back");
                    }))
                    .hasMessage("rolls back");
            assertThat(customers.count()).isZero();
            customers.save(Customer.of(1));
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                        customers.deleteAll();
                        assertThat(customers.findAll()).isEmpty();
                        customers.add("none", 1);
                    }))
                    .isInstanceOf(NoSuchElementException.class);
            assertThat(customers.count()).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LOCALSTACK")
    void additionsOfTwoApplicationsAllCount(Place place) {
        place.run(RepositoriesInContextsTest::addAtOnce);
    }

    @Test
    @Tag("servers")
    void additionsOfTwoApplicationsInABucketAllCount() {
        Place.LOCALSTACK.run(RepositoriesInContextsTest::addAtOnce);
    }

    private static void addAtOnce(ApplicationContextRunner contexts) {
        contexts.run(one -> contexts.run(other -> {
            List<Customers> both = List.of(one.getBean(Customers.class), other.getBean(Customers.class));
            both.getFirst().save(Customer.of(1, "city", 0));
            List<Future<?>> added = new ArrayList<>();
            try (ExecutorService threads = Executors.newFixedThreadPool(2 * THREADS)) {
                for (int i = 0; i < 2 * THREADS; i++) {
                    Customers customers = both.get(i % 2);
                    added.add(threads.submit(() -> {
                        for (int j = 0; j < ADDED; j++) {
                            var unused = customers.add("c001", 1);
                        }
                    }));
                }
            }
            for (Future<?> each : added) {
                each.get();
            }
            assertThat(both.getLast().findById("c001").map(Customer::points)).contains(2 * THREADS * ADDED);
        }));
    }

    /** The conditions that finders make are those that an index answers. */
    @Test
    void findersAskTheIndexes() {
        try (Penstock store = Penstock.open(Settings.inMemory().pageBytes(4_096))) {
            RecordCollection<String, Customer> collection = store.collection(Customer.class);
            StoredRecords<Customer, String> records =
                    new StoredRecords<>(collection, new PenstockTemplate(store), Customer.class);
            store.transact(transaction -> {
                for (int i = 0; i < MANY; i++) {
                    var unused = transaction.put(collection, Customer.of(i));
                }
                return true;
            });
            var unused = store.admin().checkpoint();
            for (Condition condition : List.of(
                    records.attribute("email").is("7@example.org"),
                    records.attribute("email").in(List.of("7@example.org", "8@example.org")),
                    records.attribute("email").startsWith("7@"))) {
                assertThat(collection.plan(Query.where(condition)).access())
                        .as("%s", condition)
                        .isEqualTo(QueryPlan.Access.INDEX);
            }
        }
    }

    interface Containing extends Repository<Customer, String> {
        List<Customer> findByCityContaining(String part);
    }

    interface IgnoringCase extends Repository<Customer, String> {
        List<Customer> findByCityIgnoreCase(String city);
    }

    interface OfNoField extends Repository<Ticket, Ticket.Seat> {
        List<Ticket> findBySeat(Ticket.Seat seat);
    }

    interface OfOtherKeys extends Repository<Customer, Long> {}

    interface OfClasses extends Repository<Customer, String> {
        record Mail(String email) {}

        List<Mail> findByCity(String city);
    }

    interface WithTwoLimits extends Repository<Customer, String> {
        Page<Customer> findFirst3ByCity(String city, Pageable page);
    }

    interface WithTooFewValues extends Repository<Customer, String> {
        List<Customer> findByCityAndPoints(String city, Limit limit);
    }

    interface DeletingOne extends Repository<Customer, String> {
        Customer deleteByEmail(String email);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                DeletingOne.class,
                Containing.class,
                IgnoringCase.class,
                OfNoField.class,
                OfOtherKeys.class,
                OfClasses.class,
                WithTwoLimits.class,
                WithTooFewValues.class
            })
    void whatTheStoreCannotDoIsRefusedAtTheStart(Class<?> repository) {
        try (Penstock store = Penstock.open(Settings.inMemory())) {
            PenstockRepositoryFactory factory = new PenstockRepositoryFactory(store, new PenstockTemplate(store));
            assertThatThrownBy(() -> factory.getRepository(repository))
                    .hasStackTraceContaining("InvalidDataAccessApiUsageException");
        }
    }
}
