package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.ConsistencyLevel;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.Settings;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.Ordered;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.MatchAlwaysTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A method is run again by what began its transaction, however it was configured. */
class ManagersAndRepetitionTest {
    /** Adds one, and meets a conflict in its first run. */
    static class Adder {
        private final Penstock store;
        private final Records<String, Long> numbers;
        private final AtomicInteger runs = new AtomicInteger();

        Adder(Penstock store, Records<String, Long> numbers) {
            this.store = store;
            this.numbers = numbers;
        }

        @Transactional
        public void add() {
            long before = numbers.get("a").orElse(0L);
            if (runs.incrementAndGet() == 1) {
                try (var other = store.begin()) {
                    other.put(numbers.collection(), "a", 100L);
                    var unused = other.commit();
                }
            }
            numbers.put("a", before + 1);
        }

        /** Does so in a transaction of the store that it begins itself, whatever the method is in. */
        @Transactional
        public void addBy(PenstockTransactionManager manager) {
            new TransactionTemplate(manager).executeWithoutResult(status -> add());
        }

        /** Does so after the end of its own transaction, whichever manager began that. */
        @Transactional
        public void addAfter(PenstockTransactionManager manager) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    addBy(manager);
                }
            });
        }

        /** Does so by an interceptor that was made by hand, as that of a repository is. */
        @Transactional
        public void addByInterceptor(PenstockTransactionManager manager) {
            ProxyFactory proxy = new ProxyFactory(Runnable.class, (MethodInterceptor) call -> {
                add();
                return null;
            });
            MatchAlwaysTransactionAttributeSource always = new MatchAlwaysTransactionAttributeSource();
            proxy.addAdvice(0, new TransactionInterceptor((TransactionManager) manager, always));
            ((Runnable) proxy.getProxy()).run();
        }

        int runs() {
            return runs.get();
        }
    }

    /** Names the store's manager for the whole class. */
    @Qualifier("penstockTransactionManager")
    static class QualifiedAdder extends Adder {
        QualifiedAdder(Penstock store, Records<String, Long> numbers) {
            super(store, numbers);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfItsOwn {
        @Bean
        PenstockTransactionManager mine(Penstock store, Settings settings) {
            return new PenstockTransactionManager(store, settings.level());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class BesideAnother {
        @Bean
        PlatformTransactionManager another() {
            return new TransactionManagersOfOthersTest.Counting();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true, order = 0)
    static class OrderedFirst {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true, order = Ordered.HIGHEST_PRECEDENCE + 1)
    static class OrderedBeforeMost {}

    /** Two stores, each with settings and a manager of its own. */
    @Configuration(proxyBeanMethods = false)
    static class TwoStores {
        static final SimpleMeterRegistry METERS = new SimpleMeterRegistry();

        @Bean
        Settings here() {
            return Contexts.serializable();
        }

        @Bean
        Settings there() {
            return Settings.inMemory().level(ConsistencyLevel.SNAPSHOT).meters(METERS);
        }

        @Bean
        @Primary
        Penstock store(@Qualifier("here") Settings settings) {
            return Penstock.open(settings);
        }

        @Bean
        Penstock other(@Qualifier("there") Settings settings) {
            return Penstock.open(settings);
        }

        @Bean
        @Primary
        PenstockTransactionManager manager(Penstock store) {
            return new PenstockTransactionManager(store, store.level());
        }

        @Bean
        PenstockTransactionManager manager2(@Qualifier("other") Penstock store) {
            return new PenstockTransactionManager(store, store.level());
        }

        @Bean
        OtherAdder otherAdder(@Qualifier("other") Penstock store) {
            return new OtherAdder(
                    store, new PenstockTemplate(store).records("numbers", Keys.string(), Json.of(Long.class)));
        }
    }

    @Qualifier("manager2")
    static class OtherAdder extends Adder {
        OtherAdder(Penstock store, Records<String, Long> numbers) {
            super(store, numbers);
        }
    }

    private static ApplicationContextRunner with(Class<? extends Adder> adder, Class<?>... configurations) {
        return Contexts.inMemory().withBean(adder).withUserConfiguration(configurations);
    }

    private static void runsAgain(ApplicationContext context) {
        Adder adder = context.getBean(Adder.class);
        adder.add();
        assertThat(adder.runs()).isEqualTo(2);
        assertThat(context.getBean("numbers", Records.class).get("a")).contains(101L);
    }

    @Test
    void withAManagerOfTheApplication() {
        with(Adder.class, OfItsOwn.class).run(ManagersAndRepetitionTest::runsAgain);
    }

    @Test
    void withAQualifierOfTheClass() {
        with(QualifiedAdder.class, BesideAnother.class).run(ManagersAndRepetitionTest::runsAgain);
    }

    @Test
    void withSettingsOfEachStore() {
        Contexts.ofProperties().withUserConfiguration(TwoStores.class).run(context -> {
            OtherAdder adder = context.getBean(OtherAdder.class);
            adder.add();
            assertThat(adder.runs()).isEqualTo(2);
        });
        assertThat(TwoStores.METERS
                        .get("penstock.transaction.retries")
                        .tag("level", "SNAPSHOT")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void withAnOrderOfTransactions() {
        with(Adder.class, OrderedFirst.class).run(ManagersAndRepetitionTest::runsAgain);
        with(Adder.class, OrderedBeforeMost.class).run(ManagersAndRepetitionTest::runsAgain);
    }

    /** What the method has done in the other transaction must not be done twice. */
    @Test
    void notWhereAnotherManagerBeganTheTransaction() {
        runsOnce(Adder::addBy);
        runsOnce(Adder::addAfter);
        runsOnce(Adder::addByInterceptor);
    }

    private static void runsOnce(BiConsumer<Adder, PenstockTransactionManager> method) {
        with(Adder.class, BesideAnother.class).run(context -> {
            Adder adder = context.getBean(Adder.class);
            PenstockTransactionManager manager = context.getBean(PenstockTransactionManager.class);
            assertThatThrownBy(() -> method.accept(adder, manager))
                    .isInstanceOf(OptimisticLockingFailureException.class);
            assertThat(adder.runs()).isEqualTo(1);
        });
    }
}
