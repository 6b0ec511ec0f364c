package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.Settings;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What listens to a transaction reads and writes: in it before its end, apart from it afterwards. */
class TransactionListenersTest {
    /** Says what has been put. */
    record Put(String key) {}

    /** Each writes what it has read. */
    static class Listeners {
        private final Records<String, Long> numbers;

        Listeners(Records<String, Long> numbers) {
            this.numbers = numbers;
        }

        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        public void beforeCommit(Put put) {
            copy(put.key(), "before commit");
        }

        @TransactionalEventListener
        public void afterCommit(Put put) {
            copy(put.key(), "after commit");
        }

        @TransactionalEventListener
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void inOneOfItsOwn(Put put) {
            copy(put.key(), "of its own");
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
        public void afterRollback(Put put) {
            copy(put.key(), "after rollback");
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
        public void afterCompletion(Put put) {
            copy(put.key(), "after completion");
        }

        private void copy(String from, String to) {
            numbers.put(to, numbers.get(from).orElse(-1L));
        }
    }

    /** What a test does with a context. */
    private interface Body {
        void run(ApplicationContext context, Ledger ledger, Records<String, Long> numbers);
    }

    @SuppressWarnings("unchecked")
    private static void inContext(Body body) {
        Contexts.inMemory()
                .withBean(Listeners.class)
                .run(context -> body.run(
                        context, context.getBean(Ledger.class), (Records<String, Long>) context.getBean("numbers")));
    }

    private static Runnable publishing(ApplicationEventPublisher publisher, String key) {
        return () -> publisher.publishEvent(new Put(key));
    }

    private static Runnable listening(TransactionSynchronization listener) {
        return () -> TransactionSynchronizationManager.registerSynchronization(listener);
    }

    private static TransactionSynchronization afterCommit(Runnable body) {
        return new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                body.run();
            }
        };
    }

    private static void failing() {
        throw new IllegalStateException("after all");
    }

    @Test
    void listenersOfACommitReadAndWrite() {
        inContext((context, ledger, numbers) -> {
            ledger.put("a", publishing(context, "a"));
            for (String written : new String[] {"before commit", "after commit", "of its own", "after completion"}) {
                assertThat(numbers.get(written)).as(written).contains(1L);
            }
            assertThat(numbers.get("after rollback")).isEmpty();
        });
    }

    @Test
    void listenersOfARollbackReadAndWrite() {
        inContext((context, ledger, numbers) -> {
            assertThatThrownBy(() -> ledger.put("a", () -> {
                        publishing(context, "a").run();
                        failing();
                    }))
                    .hasMessage("after all");
            assertThat(numbers.get("after rollback")).contains(-1L);
            assertThat(numbers.get("after completion")).contains(-1L);
            assertThat(numbers.get("after commit")).isEmpty();
        });
    }

    /** Its exception reaches the caller, though what was committed stays. */
    @Test
    void afterCommitReadsAndWrites() {
        inContext((context, ledger, numbers) -> {
            ledger.put("a", listening(afterCommit(() -> {
                assertThat(numbers.get("a")).contains(1L);
                numbers.put("b", 2L);
                assertThat(numbers.get("b")).contains(2L);
            })));
            assertThat(numbers.get("b")).contains(2L);
        });
    }

    /** REQUIRED begins another one there, with listeners of its own; that one is rolled back by itself. */
    @Test
    void aTransactionAfterACommitIsAnother() {
        inContext((context, ledger, numbers) -> {
            ledger.put("a", listening(afterCommit(() -> {
                ledger.put("b", listening(afterCommit(() -> numbers.put("c", 3L))));
                assertThatThrownBy(() -> ledger.put("d", TransactionListenersTest::failing))
                        .hasMessage("after all");
                assertThat(numbers.get("d")).isEmpty();
            })));
            assertThat(numbers.get("a")).contains(1L);
            assertThat(numbers.get("b")).contains(1L);
            assertThat(numbers.get("c")).contains(3L);
            assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
        });
    }

    /** The outer one goes on where it was. */
    @Test
    void theListenersOfAnInnerTransactionAreInNone() {
        inContext((context, ledger, numbers) -> {
            assertThatThrownBy(() -> ledger.put("outer", () -> {
                        ledger.putApart("apart", listening(afterCommit(() -> numbers.put("listener", 1L))));
                        assertThat(numbers.get("outer")).contains(1L);
                        failing();
                    }))
                    .hasMessage("after all");
            assertThat(numbers.get("apart")).contains(1L);
            assertThat(numbers.get("listener")).contains(1L);
            assertThat(numbers.get("outer")).isEmpty();
        });
    }

    @Test
    void listenersOfACommitThatFailsReadAndWrite() {
        inContext((context, ledger, numbers) -> {
            numbers.put("a", 3L);
            assertThatThrownBy(() -> ledger.put("b", () -> {
                        ledger.move("a", "b", 1);
                        listening(new TransactionSynchronization() {
                                    @Override
                                    public void afterCompletion(int status) {
                                        numbers.put("after", numbers.get("a").orElse(-1L));
                                    }
                                })
                                .run();
                        ledger.putApart("a", () -> {});
                    }))
                    .isInstanceOf(OptimisticLockingFailureException.class);
            assertThat(numbers.get("after")).contains(1L);
            assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
        });
    }

    /** Its answer got lost, and looks after it fail: nobody knows. */
    @Test
    void listenersOfALostAnswerHearThatTheOutcomeIsUnknown() {
        Tasks tasks = new ThreadTasks();
        AtomicBoolean loses = new AtomicBoolean();
        ObjectStore objects = losing(new MemoryObjectStore(tasks), loses);
        Contexts.sharing(Settings.on(objects, tasks)).run(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            ledger.put("a", () -> {});
            List<Integer> told = new ArrayList<>();
            assertThatThrownBy(() -> ledger.put("b", () -> {
                        listening(afterCompletion(told::add)).run();
                        loses.set(true);
                    }))
                    .isInstanceOf(DataAccessResourceFailureException.class)
                    .hasCauseInstanceOf(OutcomeUnknownException.class);
            loses.set(false);
            assertThat(told).containsExactly(TransactionSynchronization.STATUS_UNKNOWN);
            assertThat(context.getBean("numbers", Records.class).get("b")).contains(1L);
            assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
        });
    }

    /** While it loses, the first put to the log takes effect without an answer, and nothing else is answered. */
    private static ObjectStore losing(ObjectStore objects, AtomicBoolean loses) {
        AtomicBoolean lost = new AtomicBoolean();
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (same, method, arguments) -> {
                    boolean ofLog = loses.get()
                            && arguments != null
                            && arguments[0] instanceof String key
                            && key.contains("/log/");
                    if (ofLog && lost.get()) {
                        throw new UnavailableException("away");
                    }
                    try {
                        Object answer = method.invoke(objects, arguments);
                        if (ofLog && method.getName().equals("put")) {
                            lost.set(true);
                            throw new OutcomeUnknownException("the answer was lost");
                        }
                        return answer;
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }

    private static TransactionSynchronization afterCompletion(Consumer<Integer> body) {
        return new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                body.accept(status);
            }
        };
    }

    @Test
    void listenersOfALateCommitHearOfARollback() {
        inContext((context, ledger, numbers) -> {
            List<Integer> told = new ArrayList<>();
            TransactionTemplate late = new TransactionTemplate(context.getBean(PenstockTransactionManager.class));
            late.setTimeout(0);
            assertThatThrownBy(() -> late.executeWithoutResult(status -> {
                        listening(afterCompletion(told::add)).run();
                    }))
                    .isInstanceOf(TransactionTimedOutException.class);
            assertThat(told).containsExactly(TransactionSynchronization.STATUS_ROLLED_BACK);
        });
    }
}
