package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.ConsistencyLevel;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.TransactionBody;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The starter leaves {@code @Transactional} to the transaction manager that an application has besides. */
class TransactionManagersOfOthersTest {
    private static final String[] IN_MEMORY = {"penstock.in-memory=true", "penstock.level=serializable"};

    /** Methods in transactions of the application's default manager, and of the store's by its name. */
    static class Shop {
        private final Records<String, Long> numbers;

        Shop(Records<String, Long> numbers) {
            this.numbers = numbers;
        }

        @Transactional
        public void byDefault(Runnable body) {
            body.run();
            throw new IllegalStateException("after all");
        }

        @Transactional("penstockTransactionManager")
        public void inTheStore(String key) {
            numbers.put(key, 1L);
            throw new IllegalStateException("after all");
        }

        @Transactional("penstockTransactionManager")
        public void inTheStore(String key, Runnable body) {
            long before = numbers.get(key).orElse(0L);
            body.run();
            numbers.put(key, before + 1);
        }

        @Transactional("penstockTransactionManager")
        public void keptInTheStore(String key) {
            numbers.put(key, 1L);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {
        @Bean
        Records<String, Long> numbers(PenstockTemplate store) {
            return store.records("numbers", Keys.string(), Json.of(Long.class));
        }

        @Bean
        Shop shop(Records<String, Long> numbers) {
            return new Shop(numbers);
        }
    }

    /** All auto-configurations of the class path, in the order that Boot gives them. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application extends Beans {}

    /** A manager that only counts. */
    static class Counting extends AbstractPlatformTransactionManager {
        private static final long serialVersionUID = 1;

        private final AtomicInteger rolledBack = new AtomicInteger();

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            rolledBack.incrementAndGet();
        }
    }

    /** As that of JPA and of others: where there is no manager, it makes one. Its name is after ours. */
    @Configuration(proxyBeanMethods = false)
    static class AnyAutoConfiguration {
        @Bean
        @ConditionalOnMissingBean(TransactionManager.class)
        Counting transactionManager() {
            return new Counting();
        }
    }

    private static ApplicationContextRunner contexts() {
        return new ApplicationContextRunner()
                .withInitializer(Contexts::withoutBuild)
                .withPropertyValues(IN_MEMORY);
    }

    /** A method that is the store's outermost is run again, whatever else the thread is in. */
    @Test
    void aConflictWithinATransactionOfAnotherManagerRunsTheStoresMethodAgain() {
        contexts()
                .withUserConfiguration(Application.class)
                .withPropertyValues(Contexts.WITHOUT_DATA_SOURCE)
                .withBean(Counting.class, Counting::new)
                .run(context -> {
                    Shop shop = context.getBean(Shop.class);
                    Penstock store = context.getBean(Penstock.class);
                    AtomicInteger runs = new AtomicInteger();
                    failing(() -> shop.byDefault(() -> shop.inTheStore("a", () -> {
                        if (runs.incrementAndGet() == 1) {
                            try (var other = store.begin()) {
                                other.put(numbers(context).collection(), "a", 7L);
                                var unused = other.commit();
                            }
                        }
                    })));
                    assertThat(runs).hasValue(2);
                    assertThat(numbers(context).get("a")).contains(8L);
                });
    }

    /** Whichever of two transactions is the inner one: each ends by itself. */
    @Test
    void bodiesOfTheStoreAndTransactionsOfOthersAreWithinEachOther() {
        contexts()
                .withUserConfiguration(Application.class)
                .withPropertyValues(Contexts.WITHOUT_DATA_SOURCE)
                .withBean(Counting.class, Counting::new)
                .run(context -> {
                    Shop shop = context.getBean(Shop.class);
                    Penstock store = context.getBean(Penstock.class);
                    PenstockTemplate template = context.getBean(PenstockTemplate.class);
                    Runnable within = () -> failing(() -> shop.byDefault(() -> shop.inTheStore("a", () -> {})));
                    TransactionBody<Boolean> body = transaction -> {
                        within.run();
                        shop.inTheStore("a", () -> {});
                        return true;
                    };
                    assertThat(store.transact(body)).isTrue();
                    assertThat(template.execute(body)).isTrue();
                    failing(() -> shop.byDefault(
                            () -> assertThat(store.transact(body)).isTrue()));
                    failing(() -> shop.byDefault(
                            () -> assertThat(template.execute(body)).isTrue()));
                    assertThat(numbers(context).get("a")).contains(8L);
                    assertThat(TransactionSynchronizationManager.isSynchronizationActive())
                            .isFalse();
                    assertThat(TransactionSynchronizationManager.getResourceMap())
                            .isEmpty();
                });
    }

    private static void failing(Runnable body) {
        assertThatThrownBy(body::run).isInstanceOf(IllegalStateException.class).hasMessage("after all");
    }

    @SuppressWarnings("unchecked")
    private static Records<String, Long> numbers(ApplicationContext context) {
        return context.getBean("numbers", Records.class);
    }

    private static void theStoreHasItsOwn(ApplicationContext context) {
        Shop shop = context.getBean(Shop.class);
        Records<String, Long> numbers = numbers(context);
        failing(() -> shop.inTheStore("a"));
        assertThat(numbers.get("a")).isEmpty();
        shop.keptInTheStore("b");
        assertThat(numbers.get("b")).contains(1L);
    }

    @Test
    void jdbcIsRolledBack() {
        contexts().withUserConfiguration(Application.class).run(context -> {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            jdbc.execute("create table t (id int)");
            failing(() -> context.getBean(Shop.class).byDefault(() -> jdbc.update("insert into t values (1)")));
            assertThat(jdbc.queryForObject("select count(*) from t", Long.class))
                    .isZero();
            theStoreHasItsOwn(context);
            failing(() ->
                    context.getBean(Shop.class).byDefault(() -> numbers(context).put("c", 1L)));
            assertThat(numbers(context).get("c")).as("each call by itself").contains(1L);
            assertThat(context.getBean(PlatformTransactionManager.class)).isInstanceOf(JdbcTransactionManager.class);
            assertThat(context.getBean(TransactionTemplate.class).getTransactionManager())
                    .isInstanceOf(JdbcTransactionManager.class);
        });
    }

    @Test
    void aManagerOfTheApplicationIsUsed() {
        contexts()
                .withUserConfiguration(Application.class)
                .withPropertyValues(Contexts.WITHOUT_DATA_SOURCE)
                .withBean(Counting.class, Counting::new)
                .run(context -> {
                    failing(() -> context.getBean(Shop.class).byDefault(() -> {}));
                    assertThat(context.getBean(Counting.class).rolledBack).hasValue(1);
                    theStoreHasItsOwn(context);
                });
    }

    /** Ours comes after whatever others there are, wherever their names stand. */
    @Test
    void aManagerOfAnyAutoConfigurationIsUsed() {
        contexts()
                .withConfiguration(AutoConfigurations.of(
                        PenstockAutoConfiguration.class,
                        PenstockTransactionManagementAutoConfiguration.class,
                        AnyAutoConfiguration.class))
                .withUserConfiguration(Beans.class)
                .run(context -> {
                    failing(() -> context.getBean(Shop.class).byDefault(() -> {}));
                    assertThat(context.getBean(Counting.class).rolledBack).hasValue(1);
                    theStoreHasItsOwn(context);
                });
    }

    /** A store alone needs no qualifier, and takes it. */
    @Test
    void aloneTheStoresManagerIsTheDefault() {
        contexts()
                .withUserConfiguration(Application.class)
                .withPropertyValues(Contexts.WITHOUT_DATA_SOURCE)
                .run(context -> {
                    theStoreHasItsOwn(context);
                    assertThat(List.of(context.getBeanNamesForType(TransactionManager.class)))
                            .containsExactly("transactionManager");
                    assertThat(context.getBean(TransactionTemplate.class).getTransactionManager())
                            .isInstanceOf(PenstockTransactionManager.class);
                });
    }

    @Test
    void aStoresManagerOfTheApplicationIsTheOnlyOne() {
        Penstock store = Penstock.open(Contexts.serializable());
        contexts()
                .withUserConfiguration(Application.class)
                .withPropertyValues(Contexts.WITHOUT_DATA_SOURCE)
                .withBean(
                        "penstockTransactionManager",
                        PenstockTransactionManager.class,
                        () -> new PenstockTransactionManager(store, ConsistencyLevel.SERIALIZABLE))
                .withBean(Penstock.class, () -> store)
                .run(context -> {
                    theStoreHasItsOwn(context);
                    assertThat(context.getBeansOfType(TransactionManager.class)).hasSize(1);
                });
    }
}
