package io.penstock.spring;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.Json;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.core.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;

/** {@code @Transactional} is what users of Spring expect. */
class TransactionsTest {
    private static final int COPIES = 100;
    private static final int THREADS = 32;

    @SuppressWarnings("unchecked")
    private static Records<String, Long> numbers(ApplicationContext context) {
        return context.getBean("numbers", Records.class);
    }

    private static void inContext(Consumer<ApplicationContext> body) {
        Contexts.inMemory().run(body::accept);
    }

    @Test
    void commitsAndRollsBack() {
        inContext(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            numbers(context).put("a", 3L);
            ledger.move("a", "b", 2);
            assertThat(numbers(context).get("b")).contains(2L);
            assertThatThrownBy(() -> ledger.move("a", "b", 2)).hasMessage("not enough");
            assertThat(numbers(context).get("a")).contains(1L);
            assertThat(numbers(context).get("b")).contains(2L);
        });
    }

    /** Methods of the store's own collections take part, and {@code transact} within a method does. */
    @Test
    void collectionsTakePart() {
        inContext(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            Penstock store = context.getBean(Penstock.class);
            RecordCollection<String, Long> counts = store.collection("counts", Keys.string(), Json.of(Long.class));
            Runnable writes = () -> {
                counts.put("b", 2L);
                store.transact(transaction -> {
                    transaction.put(counts, "c", transaction.get(counts, "b").orElseThrow());
                    return true;
                });
                assertThat(counts.get("c")).contains(2L);
            };
            assertThatThrownBy(() -> ledger.put("a", () -> {
                        writes.run();
                        throw new IllegalStateException("rolled back");
                    }))
                    .hasMessage("rolled back");
            assertThat(counts.scan(KeySpan.all()).hasNext()).isFalse();
            ledger.put("a", () -> {
                writes.run();
                ledger.putApart("apart", () -> assertThat(counts.get("b")).isEmpty());
                assertThat(counts.get("b")).contains(2L);
            });
            assertThat(counts.getAll(List.of("b", "c"))).hasSize(2);
        });
    }

    @Test
    void readOnlyRefusesWrites() {
        inContext(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            numbers(context).put("a", 3L);
            assertThat(ledger.read("a")).isEqualTo(3);
            assertThatThrownBy(() -> ledger.putWhereNothingMayBe("a"))
                    .isInstanceOf(InvalidDataAccessApiUsageException.class)
                    .cause()
                    .is(code(ErrorCode.READ_ONLY));
            assertThat(numbers(context).get("a")).contains(3L);
        });
    }

    @Test
    void aLateTransactionIsRolledBack() {
        inContext(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            assertThatThrownBy(() -> ledger.putAfter("a", TransactionsTest::overASecond))
                    .isInstanceOf(TransactionTimedOutException.class);
            assertThat(numbers(context).get("a")).isEmpty();
        });
    }

    @Test
    void aCallInALateTransactionIsRefused() {
        inContext(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            assertThatThrownBy(() -> ledger.putAfter("a", () -> {
                        overASecond();
                        assertThatThrownBy(() -> numbers(context).get("a"))
                                .isInstanceOf(TransactionTimedOutException.class);
                    }))
                    .isInstanceOf(TransactionException.class);
            assertThat(numbers(context).get("a")).isEmpty();
        });
    }

    /** Of the manager; a method that names its own has that. */
    @Test
    void theDefaultTimeoutCounts() {
        inContext(context -> {
            context.getBean(PenstockTransactionManager.class).setDefaultTimeout(1);
            Ledger ledger = context.getBean(Ledger.class);
            assertThatThrownBy(() -> ledger.put("a", TransactionsTest::overASecond))
                    .isInstanceOf(TransactionTimedOutException.class);
            assertThat(numbers(context).get("a")).isEmpty();
            ledger.put("b", () -> {});
            assertThat(numbers(context).get("b")).contains(1L);
        });
    }

    private static void overASecond() {
        try {
            Thread.sleep(1100);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void callsWithinJoinOrStandApart() {
        inContext(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            assertThatThrownBy(() -> ledger.put("outer", () -> {
                        ledger.putApart("apart", () -> {});
                        ledger.put("joined", () -> {});
                        throw new IllegalStateException("after all");
                    }))
                    .hasMessage("after all");
            assertThat(numbers(context).get("outer")).isEmpty();
            assertThat(numbers(context).get("joined")).isEmpty();
            assertThat(numbers(context).get("apart")).contains(1L);
        });
    }

    @Test
    void aFailureWithinRollsAllBack() {
        inContext(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            Runnable failing = () -> assertThatThrownBy(() -> ledger.put("inner", () -> {
                        throw new IllegalStateException("inner");
                    }))
                    .hasMessage("inner");
            assertThatThrownBy(() -> ledger.put("outer", failing)).isInstanceOf(UnexpectedRollbackException.class);
            assertThat(numbers(context).get("outer")).isEmpty();
        });
    }

    @Test
    void nestedTransactionsAreRefused() {
        inContext(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            assertThatThrownBy(() -> ledger.put("outer", () -> ledger.putNested("nested")))
                    .isInstanceOf(NestedTransactionNotSupportedException.class);
            assertThat(numbers(context).get("outer")).isEmpty();
        });
    }

    @Test
    void isolationNamesTheLevel() {
        inContext(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            assertThat(ledger.levelOfRepeatableRead()).isEqualTo("SNAPSHOT");
            assertThat(ledger.levelOfReadCommitted()).isEqualTo("SERIALIZABLE");
            assertThat(ledger.levelOfDefault()).isEqualTo("SERIALIZABLE");
        });
        Contexts.ofProperties("penstock.in-memory=true", "penstock.level=basic").run(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            assertThat(ledger.levelOfReadCommitted()).isEqualTo("ATOMIC");
            assertThat(ledger.levelOfDefault()).isEqualTo("BASIC");
        });
    }

    /** Two contexts are two clients of one store, as two processes are. */
    @Test
    void theLastCopiesAreSoldOnce() {
        Settings shared = Contexts.serializable();
        Contexts.sharing(shared).run(first -> {
            numbers(first).put("copies", (long) COPIES);
            Contexts.sharing(shared).run(second -> {
                int sold = sell(List.of(first.getBean(Ledger.class), second.getBean(Ledger.class)));
                assertThat(sold).isEqualTo(COPIES);
                assertThat(numbers(first).get("copies")).contains(0L);
                assertThat(numbers(second).get("copies")).contains(0L);
            });
        });
    }

    private static int sell(List<Ledger> shops) throws Exception {
        AtomicInteger sold = new AtomicInteger();
        List<Future<?>> buyers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < THREADS; i++) {
                Ledger shop = shops.get(i % shops.size());
                buyers.add(threads.submit(() -> buy(shop, sold)));
            }
            for (Future<?> buyer : buyers) {
                buyer.get();
            }
        }
        return sold.get();
    }

    /** Buys as long as there are copies; every loser gets the exception by which Spring's users retry. */
    private static void buy(Ledger shop, AtomicInteger sold) {
        boolean left = true;
        while (left) {
            try {
                left = shop.takeOne("copies");
                if (left) {
                    sold.incrementAndGet();
                }
            } catch (ConcurrencyFailureException lost) {
                Thread.onSpinWait();
            }
        }
    }
}
