package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** {@code @Transactional} methods are run again after conflicts, by default and the outermost alone. */
class RepetitionTest {
    private static final int THREADS = 32;
    private static final int TICKETS = 20;

    /** A shop whose methods meet one conflict, or more, by a put of another transaction in their middle. */
    static class Shop {
        private final Penstock store;
        private final RecordCollection<String, Long> numbers;
        private final RecordCollection<String, Long> others;
        private final AtomicInteger runs = new AtomicInteger();
        private final AtomicInteger bodies = new AtomicInteger();

        Shop(Penstock store) {
            this.store = store;
            this.numbers = store.collection("numbers", Keys.string(), Json.of(Long.class));
            this.others = store.collection("others", Keys.string(), Json.of(Long.class));
        }

        @Transactional
        public long addOne(int conflicts) {
            long before = numbers.get("a").orElse(0L);
            if (runs.incrementAndGet() <= conflicts) {
                meet();
            }
            numbers.put("a", before + 1);
            return before;
        }

        @RunOnce
        @Transactional
        public void addOnce() {
            var unused = addOne(1);
        }

        @Transactional
        public void addStale() {
            runs.incrementAndGet();
            throw new OptimisticLockingFailureException(
                    "old", new ConflictException(ErrorCode.STALE_VERSION, "the value is old"));
        }

        /** Reads two collections, whose pages are newer at the second read of the first run. */
        @Transactional
        public long sum(Runnable between) {
            long first = numbers.get("a").orElse(0L);
            if (runs.incrementAndGet() == 1) {
                between.run();
            }
            long sum = first + others.get("a").orElse(0L);
            others.put("sum", sum);
            return sum;
        }

        @Transactional
        public long sumInABody(Runnable between) {
            return store.transact(transaction -> sum(between));
        }

        /** Reads the first collection in the method's transaction, and the second in the body of another store. */
        @Transactional
        public long sumWithin(PenstockTemplate elsewhere, Runnable between) {
            Records<String, Long> records = new PenstockTemplate(store).records(others);
            long first = numbers.get("a").orElse(0L);
            if (runs.incrementAndGet() == 1) {
                between.run();
            }
            return first
                    + elsewhere.execute(transaction -> {
                        assertThat(bodies.incrementAndGet()).isLessThan(3);
                        return records.get("a").orElse(0L);
                    });
        }

        @Transactional
        public void interrupted() {
            var unused = addOne(1);
            Thread.currentThread().interrupt();
        }

        RecordCollection<String, Long> numbers() {
            return numbers;
        }

        int runs() {
            return runs.get();
        }

        private void meet() {
            try (var other = store.begin()) {
                other.put(numbers, "a", other.get(numbers, "a").orElse(0L) + 100);
                var unused = other.commit();
            }
        }
    }

    /** Says what has been put. */
    record Put(String key) {}

    /** Each of its own transactions meets one conflict. */
    static class Audit {
        private final Shop shop;
        private int runs;

        Audit(Shop shop) {
            this.shop = shop;
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @TransactionalEventListener
        public void add(Put put) {
            runs++;
            var unused = shop.addOne(1);
        }

        @RunOnce
        @Transactional
        public void addOnce() {
            runs++;
            var unused = shop.addOne(1);
        }

        int runs() {
            return runs;
        }

        @RunOnce
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void addOnceApart() {
            addOnce();
        }
    }

    /** Calls a transactional method within another one. */
    static class Mall {
        private final Shop shop;
        private final Audit audit;
        private final ApplicationEventPublisher events;
        private int runs;

        Mall(Shop shop, Audit audit, ApplicationEventPublisher events) {
            this.shop = shop;
            this.audit = audit;
            this.events = events;
        }

        @Transactional
        public void addWithin() {
            runs++;
            var unused = shop.addOne(1);
        }

        int runs() {
            return runs;
        }

        @Transactional
        public void publish() {
            runs++;
            events.publishEvent(new Put("a"));
        }

        @Transactional
        public void auditAfterCommit() {
            runs++;
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    audit.addOnce();
                }
            });
        }

        @Transactional
        public void addOnceWithin() {
            runs++;
            audit.addOnce();
        }

        @Transactional
        public void addOnceApart() {
            runs++;
            audit.addOnceApart();
        }

        @Transactional
        public void addApart() {
            runs++;
            audit.add(new Put("a"));
        }

        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        public void addTwice() {
            runs++;
            shop.numbers().put("b", shop.numbers().get("b").orElse(0L) + 1);
            audit.addOnce();
        }
    }

    private static ApplicationContextRunner contexts() {
        return Contexts.inMemory().withBean(Shop.class).withBean(Audit.class).withBean(Mall.class);
    }

    /** Runs something that ends in a conflict, which neither of these methods is run again for. */
    private static void inConflict(Consumer<ApplicationContext> body) {
        contexts().run(context -> {
            assertThatThrownBy(() -> body.accept(context)).isInstanceOf(OptimisticLockingFailureException.class);
            assertThat(context.getBean(Mall.class).runs()).isLessThan(2);
            assertThat(context.getBean(Audit.class).runs()).isEqualTo(1);
        });
    }

    private static Shop shop(ApplicationContext context) {
        return context.getBean(Shop.class);
    }

    @Test
    void aMethodIsRunAgainByDefault() {
        contexts().run(context -> {
            assertThat(shop(context).addOne(3)).isEqualTo(300);
        });
    }

    @Test
    void conflictsAreCounted() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        contexts().withBean(MeterRegistry.class, () -> meters).run(context -> {
            var unused = shop(context).addOne(3);
            assertThatThrownBy(() -> shop(context).addStale()).isInstanceOf(OptimisticLockingFailureException.class);
        });
        assertThat(meters.get("penstock.transaction.retries")
                        .tag("level", "SERIALIZABLE")
                        .counter()
                        .count())
                .isEqualTo(3);
        assertThat(meters.get("penstock.transaction.aborts")
                        .tag("level", "SERIALIZABLE")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void theOutermostMethodIsRunAgain() {
        contexts().run(context -> {
            Mall mall = context.getBean(Mall.class);
            mall.addWithin();
            Records<String, Long> numbers = context.getBean("numbers", Records.class);
            assertThat(numbers.get("a")).contains(101L);
        });
    }

    @Test
    void aMethodWithEffectsOutsideIsRunOnce() {
        contexts()
                .run(context -> assertThatThrownBy(() -> shop(context).addOnce())
                        .isInstanceOf(OptimisticLockingFailureException.class));
    }

    @Test
    void whatCallsItIsRunOnceToo() {
        inConflict(context -> context.getBean(Mall.class).addOnceWithin());
        inConflict(context -> context.getBean(Mall.class).addOnceApart());
        inConflict(context -> context.getBean(PenstockTemplate.class).execute(transaction -> {
            context.getBean(Mall.class).addOnceWithin();
            return true;
        }));
        inConflict(context -> context.getBean(PenstockTemplate.class).execute(transaction -> {
            context.getBean(Audit.class).addOnceApart();
            return true;
        }));
    }

    /** Its parts have transactions of their own, of which the first are committed. */
    @Test
    void aMethodWithoutATransactionIsRunOnce() {
        inConflict(context -> context.getBean(Mall.class).addTwice());
    }

    @Test
    void aMethodThatHasCommittedIsRunOnce() {
        inConflict(context -> context.getBean(Mall.class).auditAfterCommit());
    }

    @Test
    void aListenerAfterTheCommitIsRunAgain() {
        contexts().run(context -> {
            context.getBean(Mall.class).publish();
            assertThat(context.getBean(Mall.class).runs()).isEqualTo(1);
            assertThat(context.getBean(Audit.class).runs()).isEqualTo(2);
            assertThat(shop(context).numbers().get("a")).contains(101L);
        });
    }

    /** The outer method's transaction has met no conflict. */
    @Test
    void aMethodApartIsRunAgainAlone() {
        contexts().run(context -> {
            context.getBean(Mall.class).addApart();
            assertThat(context.getBean(Mall.class).runs()).isEqualTo(1);
            assertThat(context.getBean(Audit.class).runs()).isEqualTo(2);
            assertThat(shop(context).numbers().get("a")).contains(101L);
        });
    }

    @Test
    void anOldValueIsNotTriedAgain() {
        contexts().run(context -> {
            AtomicInteger runs = new AtomicInteger();
            assertThatThrownBy(() -> {
                        runs.incrementAndGet();
                        shop(context).addStale();
                    })
                    .isInstanceOf(OptimisticLockingFailureException.class);
            assertThat(runs).hasValue(1);
        });
    }

    /** Runs a method that reads two collections, while another client changes both of them. */
    private static void changing(BiFunction<Shop, Runnable, Long> method) {
        Settings shared = Contexts.serializable();
        try (Penstock other = Penstock.open(shared)) {
            Contexts.sharing(shared).withBean(Shop.class).run(context -> {
                RecordCollection<String, Long> numbers =
                        other.collection("numbers", Keys.string(), Json.of(Long.class));
                RecordCollection<String, Long> others = other.collection("others", Keys.string(), Json.of(Long.class));
                Runnable between = () -> {
                    other.transact(transaction -> {
                        long next = 1 + transaction.get(numbers, "a").orElse(0L);
                        transaction.put(numbers, "a", next);
                        transaction.put(others, "a", next);
                        return true;
                    });
                    other.admin().checkpoint();
                };
                between.run();
                assertThat(method.apply(shop(context), between)).isEqualTo(4);
                assertThat(shop(context).runs()).isEqualTo(2);
            });
        }
    }

    /** Their conflicts are the store's own exceptions. */
    @Test
    void aConflictOfTheStoresOwnCallsRunsTheMethodAgain() {
        changing(Shop::sum);
        changing(Shop::sumInABody);
    }

    /** The body of the other store could be run for ever. */
    @Test
    void aConflictIsMendedByTheStoreThatMetIt() {
        try (Penstock elsewhere = Penstock.open(Settings.inMemory())) {
            PenstockTemplate template = new PenstockTemplate(elsewhere);
            changing((shop, between) -> shop.sumWithin(template, between));
        }
    }

    @Test
    void anInterruptEndsThePausesByAnExceptionOfSpring() {
        contexts().run(context -> {
            assertThatThrownBy(() -> shop(context).interrupted()).isInstanceOf(DataAccessException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(shop(context).runs()).isEqualTo(1);
        });
    }

    @Test
    void aPropertyTurnsItOff() {
        contexts()
                .withPropertyValues("penstock.repeat-transactional=0s")
                .run(context -> assertThatThrownBy(() -> shop(context).addOne(1))
                        .isInstanceOf(OptimisticLockingFailureException.class));
    }

    @Test
    void aWrongDurationIsTold() {
        contexts()
                .withPropertyValues("penstock.repeat-transactional=soon")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("repeat-transactional"));
    }

    /** 32 callers of two applications and 20 tickets: each call sells or says that there are none. */
    @Test
    void everyCallerGetsAnAnswer() {
        Settings shared = Contexts.serializable();
        Contexts.sharing(shared).run(first -> {
            first.getBean("numbers", Records.class).put("tickets", (long) TICKETS);
            Contexts.sharing(shared).run(second -> {
                List<Ledger> shops = List.of(first.getBean(Ledger.class), second.getBean(Ledger.class));
                int sold = 0;
                List<Future<Boolean>> buyers = new ArrayList<>();
                try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
                    for (int i = 0; i < THREADS; i++) {
                        Ledger shop = shops.get(i % 2);
                        buyers.add(threads.submit(() -> shop.takeOne("tickets")));
                    }
                    for (Future<Boolean> buyer : buyers) {
                        sold += buyer.get() ? 1 : 0;
                    }
                }
                assertThat(sold).isEqualTo(TICKETS);
            });
        });
    }
}
