package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.TransactionBody;
import io.penstock.core.ConflictException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ApplicationContext;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** {@code @Transactional} methods and the store's bodies are in one transaction, whichever is the outer one. */
class BodiesAndMethodsTest {
    /** The ways to run a body in a transaction of the store. */
    private enum Way {
        TEMPLATE {
            @Override
            <T> T run(ApplicationContext context, TransactionBody<T> body) {
                return context.getBean(PenstockTemplate.class).execute(body);
            }
        },
        STORE {
            @Override
            <T> T run(ApplicationContext context, TransactionBody<T> body) {
                return context.getBean(Penstock.class).transact(body);
            }
        };

        abstract <T> T run(ApplicationContext context, TransactionBody<T> body);
    }

    /** Methods of each propagation. */
    static class Shop {
        private final Records<String, Long> numbers;

        Shop(Records<String, Long> numbers) {
            this.numbers = numbers;
        }

        @Transactional
        public void sell() {
            numbers.put("stock", numbers.get("stock").orElseThrow() - 1);
        }

        @Transactional
        public void fail() {
            numbers.put("failed", 1L);
            throw new IllegalStateException("inner");
        }

        @Transactional
        public void listen(List<String> told) {
            numbers.put("listened", 1L);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    numbers.put("before", numbers.get("late").orElse(-1L));
                }

                @Override
                public void afterCommit() {
                    told.add("committed " + numbers.get("before").orElse(-2L));
                }

                @Override
                public void afterCompletion(int status) {
                    told.add(List.of("COMMITTED", "ROLLED_BACK", "UNKNOWN").get(status));
                }
            });
        }

        @Transactional(propagation = Propagation.SUPPORTS)
        public void support() {
            numbers.put("supported", 1L);
        }

        @Transactional(propagation = Propagation.MANDATORY)
        public void mandatory() {
            numbers.put("mandatory", 1L);
        }

        @Transactional(propagation = Propagation.NEVER)
        public void never() {}

        @Transactional(propagation = Propagation.NESTED)
        public void nested() {}

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void apart(Runnable body) {
            numbers.put("apart", numbers.get("stock").orElse(-1L));
            body.run();
        }

        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        public void outside() {
            numbers.put("outside", numbers.get("stock").orElse(-1L));
        }

        @Transactional(isolation = Isolation.SERIALIZABLE)
        public void serializable() {
            numbers.put("serializable", 1L);
        }
    }

    /** What a test does with a context, in which there are three in stock. */
    private interface Body {
        void run(ApplicationContext context, Shop shop, Records<String, Long> numbers);
    }

    @SuppressWarnings("unchecked")
    private static void inContext(Body body) {
        Contexts.inMemory().withBean(Shop.class).run(context -> {
            Records<String, Long> numbers = (Records<String, Long>) context.getBean("numbers");
            numbers.put("stock", 3L);
            body.run(context, context.getBean(Shop.class), numbers);
            assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
            assertThat(TransactionSynchronizationManager.isSynchronizationActive())
                    .isFalse();
            assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                    .isFalse();
            assertThat(context.getBean(Penstock.class).current()).isEmpty();
        });
    }

    private static void present(Records<String, Long> numbers, String... keys) {
        assertThat(Stream.of(keys).filter(key -> numbers.get(key).isPresent())).containsExactly(keys);
    }

    private static void absent(Records<String, Long> numbers, String... keys) {
        assertThat(Stream.of(keys).filter(key -> numbers.get(key).isPresent())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aMethodJoinsTheBody(Way way) {
        inContext((context, shop, numbers) -> {
            assertThatThrownBy(() -> way.run(context, transaction -> {
                        numbers.put("stock", 10L);
                        shop.sell();
                        shop.support();
                        shop.mandatory();
                        throw new IllegalStateException("after all");
                    }))
                    .hasMessage("after all");
            assertThat(numbers.get("stock")).contains(3L);
            absent(numbers, "supported", "mandatory");
            long left = way.run(context, transaction -> {
                numbers.put("stock", 10L);
                shop.sell();
                shop.support();
                shop.mandatory();
                return numbers.get("stock").orElseThrow();
            });
            assertThat(left).isEqualTo(9);
            assertThat(numbers.get("stock")).contains(9L);
            present(numbers, "supported", "mandatory");
        });
    }

    /** The body has read what the method writes: two transactions would conflict, in each run anew. */
    @ParameterizedTest
    @EnumSource
    void aMethodWritesWhatTheBodyHasRead(Way way) {
        inContext((context, shop, numbers) -> {
            AtomicInteger runs = new AtomicInteger();
            way.run(context, transaction -> {
                runs.incrementAndGet();
                assertThat(numbers.get("stock")).contains(3L);
                numbers.put("order", 1L);
                shop.sell();
                return true;
            });
            assertThat(runs).hasValue(1);
            assertThat(numbers.get("stock")).contains(2L);
            present(numbers, "order");
        });
    }

    @ParameterizedTest
    @EnumSource
    void aFailureOfAMethodRollsTheBodyBack(Way way) {
        inContext((context, shop, numbers) -> {
            assertThatThrownBy(() -> way.run(context, transaction -> {
                        numbers.put("order", 1L);
                        assertThatThrownBy(shop::fail).hasMessage("inner");
                        return true;
                    }))
                    .isInstanceOf(UnexpectedRollbackException.class);
            absent(numbers, "order", "failed");
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatCannotJoinIsRefused(Way way) {
        inContext((context, shop, numbers) -> way.run(context, transaction -> {
            assertThatThrownBy(shop::never).isInstanceOf(IllegalTransactionStateException.class);
            assertThatThrownBy(shop::nested).isInstanceOf(NestedTransactionNotSupportedException.class);
            return true;
        }));
    }

    @ParameterizedTest
    @EnumSource
    void whatStandsApartDoes(Way way) {
        inContext((context, shop, numbers) -> {
            assertThatThrownBy(() -> way.run(context, transaction -> {
                        numbers.put("stock", 10L);
                        shop.apart(() -> {});
                        shop.outside();
                        assertThat(numbers.get("stock")).contains(10L);
                        assertThat(numbers.get("apart")).contains(3L);
                        throw new IllegalStateException("after all");
                    }))
                    .hasMessage("after all");
            assertThat(numbers.get("apart")).contains(3L);
            assertThat(numbers.get("outside")).contains(3L);
            assertThat(numbers.get("stock")).contains(3L);
        });
    }

    @ParameterizedTest
    @EnumSource
    void listenersHearOfTheBodysEnd(Way way) {
        inContext((context, shop, numbers) -> {
            List<String> told = new ArrayList<>();
            way.run(context, transaction -> {
                shop.listen(told);
                assertThat(told).isEmpty();
                numbers.put("late", 7L);
                return true;
            });
            assertThat(told).containsExactly("committed 7", "COMMITTED");
            told.clear();
            assertThatThrownBy(() -> way.run(context, transaction -> {
                        shop.listen(told);
                        throw new IllegalStateException("after all");
                    }))
                    .hasMessage("after all");
            assertThat(told).containsExactly("ROLLED_BACK");
        });
    }

    /** Each run of a body ends before the next. */
    @ParameterizedTest
    @EnumSource
    void listenersHearOfEachRun(Way way) {
        inContext((context, shop, numbers) -> {
            List<String> told = new ArrayList<>();
            AtomicInteger runs = new AtomicInteger();
            way.run(context, transaction -> {
                shop.listen(told);
                numbers.put("late", numbers.get("stock").orElseThrow());
                if (runs.incrementAndGet() == 1) {
                    shop.apart(() -> numbers.put("stock", 5L));
                }
                return true;
            });
            assertThat(told).containsExactly("ROLLED_BACK", "committed 5", "COMMITTED");
        });
    }

    /** What has been committed is not run again, whatever its listeners meet. */
    @ParameterizedTest
    @EnumSource
    void aConflictAfterTheCommitRepeatsNothing(Way way) {
        inContext((context, shop, numbers) -> {
            AtomicInteger runs = new AtomicInteger();
            assertThatThrownBy(() -> way.run(context, transaction -> {
                        runs.incrementAndGet();
                        shop.sell();
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void afterCommit() {
                                throw new ConflictException("a listener's own");
                            }
                        });
                        return true;
                    }))
                    .isInstanceOf(OptimisticLockingFailureException.class);
            assertThat(runs).hasValue(1);
            assertThat(numbers.get("stock")).contains(2L);
        });
    }

    @Test
    void aReadEndsAsACommit() {
        inContext((context, shop, numbers) -> {
            List<Integer> told = new ArrayList<>();
            PenstockTemplate store = context.getBean(PenstockTemplate.class);
            var unused = store.read(transaction -> {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCompletion(int status) {
                        told.add(status);
                    }
                });
                return numbers.get("stock");
            });
            assertThat(told).containsExactly(TransactionSynchronization.STATUS_COMMITTED);
        });
    }

    /** A body that is over is in no transaction from then on. */
    @ParameterizedTest
    @EnumSource
    void afterAnAbortAMethodBeginsItsOwn(Way way) {
        inContext((context, shop, numbers) -> {
            List<String> told = new ArrayList<>();
            way.run(context, transaction -> {
                shop.listen(told);
                transaction.abort();
                assertThat(told).containsExactly("ROLLED_BACK");
                shop.sell();
                return true;
            });
            assertThat(numbers.get("stock")).contains(2L);
            absent(numbers, "listened");
        });
    }

    /** A joined body that has aborted is in none either; its outer one goes on in its own. */
    @ParameterizedTest
    @EnumSource
    void afterTheAbortOfAJoinedBodyAMethodBeginsItsOwn(Way way) {
        inContext((context, shop, numbers) -> {
            TransactionTemplate outer = new TransactionTemplate(context.getBean(PenstockTransactionManager.class));
            outer.executeWithoutResult(status -> {
                numbers.put("outer", 1L);
                way.run(context, transaction -> {
                    numbers.put("inner", 1L);
                    transaction.abort();
                    assertThatThrownBy(shop::fail).hasMessage("inner");
                    shop.sell();
                    return true;
                });
                numbers.put("stock", 1L);
                status.setRollbackOnly();
            });
            assertThat(numbers.get("stock")).contains(2L);
            absent(numbers, "outer", "inner", "failed");
            outer.executeWithoutResult(status -> {
                way.run(context, transaction -> {
                    transaction.abort();
                    shop.sell();
                    return true;
                });
                numbers.put("outer", numbers.get("stock").orElseThrow());
            });
            assertThat(numbers.get("outer")).contains(1L);
        });
    }

    /** What a thread is in no more, its methods do not join, though it is open. */
    @Test
    void aTransactionThatIsNoLongerBoundIsNotJoined() {
        inContext((context, shop, numbers) -> {
            try (var apart = context.getBean(Penstock.class).begin()) {
                apart.bind();
                shop.support();
                apart.unbind();
                assertThatThrownBy(shop::fail).hasMessage("inner");
                absent(numbers, "failed", "supported");
                shop.sell();
                assertThat(numbers.get("stock")).contains(2L);
                apart.bind();
                var unused = apart.commit();
            }
            present(numbers, "supported");
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatStandsApartOfATransactionWithinABodyIsInNeither(Way way) {
        inContext((context, shop, numbers) -> {
            assertThatThrownBy(() -> way.run(context, transaction -> {
                        numbers.put("body", 1L);
                        try (var byHand = context.getBean(Penstock.class).begin()) {
                            byHand.bind();
                            numbers.put("hand", 1L);
                            shop.outside();
                            shop.apart(() -> {});
                            present(numbers, "hand");
                            byHand.unbind();
                        }
                        present(numbers, "body");
                        throw new IllegalStateException("after all");
                    }))
                    .hasMessage("after all");
            present(numbers, "outside", "apart");
            absent(numbers, "body", "hand");
        });
    }

    @Test
    void aMethodOfAHigherLevelIsRefused() {
        inContext((context, shop, numbers) -> {
            TransactionTemplate snapshot = new TransactionTemplate(context.getBean(PenstockTransactionManager.class));
            snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
            assertThatThrownBy(() -> snapshot.executeWithoutResult(status -> shop.serializable()))
                    .isInstanceOf(InvalidDataAccessApiUsageException.class);
            Penstock store = context.getBean(Penstock.class);
            assertThatThrownBy(() -> store.transact(ConsistencyLevel.SNAPSHOT, transaction -> {
                        shop.serializable();
                        return true;
                    }))
                    .isInstanceOf(InvalidDataAccessApiUsageException.class);
            absent(numbers, "serializable");
            new TransactionTemplate(context.getBean(PenstockTransactionManager.class))
                    .executeWithoutResult(status -> shop.serializable());
            present(numbers, "serializable");
        });
    }

    /** A transaction that is bound by hand is the thread's, also within a method. */
    @Test
    void aTransactionThatIsBoundByHandIsJoined() {
        inContext((context, shop, numbers) -> {
            Penstock store = context.getBean(Penstock.class);
            new TransactionTemplate(context.getBean(PenstockTransactionManager.class)).executeWithoutResult(status -> {
                numbers.put("order", 1L);
                try (var other = store.begin()) {
                    other.bind();
                    shop.sell();
                    absent(numbers, "order");
                    other.unbind();
                }
                present(numbers, "order");
                shop.support();
            });
            present(numbers, "order", "supported");
            assertThat(numbers.get("stock")).contains(3L);
        });
    }

    /** A body with an id that was committed before counts nothing, and is no failure. */
    @Test
    void anIdThatWasCommittedBeforeIsNoFailure() {
        inContext((context, shop, numbers) -> {
            Penstock store = context.getBean(Penstock.class);
            TransactionBody<Boolean> body = transaction -> {
                shop.sell();
                return true;
            };
            assertThat(store.session().transact("once", body)).contains(true);
            assertThat(store.session().transact("once", body)).isEmpty();
            assertThat(numbers.get("stock")).contains(2L);
        });
    }
}
