package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.task.Task;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The level of what chooses none: safe where nobody said otherwise. */
@Isolated("it looks at what is logged")
class StoreLevelTest {
    private static final int TICKETS = 20;

    private static RecordCollection<String, Long> tickets(Penstock store) {
        return store.collection("tickets", Keys.string(), Json.of(Long.class));
    }

    private static Settings unset(SimulatedStore cloud, String machine) {
        SimulatedClient client = cloud.machine(machine);
        return Settings.on(cloud.cloud.objects(client), cloud.cloud.queues(client), client)
                .advanced(advanced -> advanced.sweeping(false));
    }

    private static void run(Consumer<SimulatedStore> test) {
        new SimulatedStore(1, World.CALM).run(test);
    }

    private static String logOf(Runnable calls) {
        PrintStream before = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            calls.run();
        } finally {
            System.setErr(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static long buy(Penstock store) {
        return store.transact(transaction -> {
            long left = transaction.get(tickets(store), "left").orElseThrow();
            if (left > 0) {
                transaction.put(tickets(store), "left", left - 1);
            }
            return Math.min(left, 1);
        });
    }

    /** Two processes of a shop that set no level, and twice as many buyers as there are tickets. */
    @Test
    void aShopThatSetsNoLevelSellsWhatThereIs() {
        run(cloud -> {
            try (Penstock one = Penstock.open(unset(cloud, "a"));
                    Penstock other = Penstock.open(unset(cloud, "b"))) {
                tickets(one).put("left", (long) TICKETS);
                AtomicLong sold = new AtomicLong();
                List<Task<?>> buyers = new ArrayList<>();
                for (int i = 0; i < 2 * TICKETS; i++) {
                    Penstock shop = i % 2 == 0 ? one : other;
                    buyers.add(cloud.machine(i % 2 == 0 ? "a" : "b").start("buyer", () -> {
                        sold.addAndGet(buy(shop));
                    }));
                }
                buyers.forEach(Task::join);
                assertThat(sold).hasValue(TICKETS);
                assertThat(tickets(other).get("left")).contains(0L);
            }
        });
    }

    /** A store whose collections were made at a weaker level goes on in a program that sets none, and is told. */
    @Test
    void aStoreThatWasMadeWeakGoesOn() {
        run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("a"))) {
                tickets(store).put("left", 2L);
            }
            try (Penstock store = Penstock.open(unset(cloud, "b"))) {
                RecordCollection<String, Long> strict = store.collection("new", Keys.string(), Json.of(Long.class));
                String told = logOf(() -> {
                    assertThat(tickets(store).get("left")).contains(2L);
                    assertThat(buy(store)).isEqualTo(1);
                    tickets(store).put("left", 5L);
                    ConsistencyLevel used = store.transact(transaction -> {
                        transaction.get(tickets(store), "left");
                        return transaction.level();
                    });
                    assertThat(used).isEqualTo(ConsistencyLevel.ATOMIC);
                    assertThat(tickets(store).get("left")).contains(5L);
                });
                assertThat(told.lines().filter(line -> line.contains("made without a domain")))
                        .hasSize(1);
                assertThat(RecordCollection.increment(strict, "count", 1)).isEqualTo(1);
                assertThatThrownBy(() -> store.transact(transaction -> {
                            transaction.put(strict, "count", 2L);
                            transaction.put(tickets(store), "left", 0L);
                            return true;
                        }))
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.DOMAIN_MISMATCH));
                assertThatThrownBy(() -> store.transact(ConsistencyLevel.SERIALIZABLE, transaction -> {
                            transaction.get(tickets(store), "left");
                            return true;
                        }))
                        .isInstanceOf(InvalidRequestException.class);
            }
        });
    }

    /** All methods of a domain's collection work in a store of another level, and isolate. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "SNAPSHOT", "SERIALIZABLE"})
    void methodsOfADomainsCollectionIsolateByThemselves(ConsistencyLevel level) {
        run(cloud -> {
            try (Penstock one = Penstock.open(cloud.settings("a").level(level));
                    Penstock other = Penstock.open(cloud.settings("b").level(level))) {
                RecordCollection<String, Long> ofOne = tickets(one).inDomain("main");
                RecordCollection<String, Long> ofOther = tickets(other).inDomain("main");
                ofOne.put("left", 2L);
                assertThat(ofOther.get("left")).contains(2L);
                assertThat(ofOther.update("left", left -> left.map(value -> value - 1)))
                        .contains(1L);
                assertThat(ofOne.getAll(List.of("left"))).containsValue(1L);
                assertThat(ofOne.scan(KeySpan.all()).page().records()).hasSize(1);
                ofOther.delete("left");
                assertThat(ofOne.putIfAbsent("left", 3L)).isTrue();
                assertThat(ofOther.replace("left", 3L, 4L)).isTrue();
                assertThat(ofOne.deleteRange(KeySpan.all())).isEqualTo(1);
                assertThat(ofOther.get("left")).isEmpty();
            }
        });
    }

    @Test
    void aTransactionThatMayLoseAnUpdateIsToldOnce() {
        run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("a"))) {
                tickets(store).put("left", 2L);
                String told = logOf(() -> {
                    buy(store);
                    buy(store);
                });
                assertThat(told.lines().filter(line -> line.contains("updates are lost")))
                        .hasSize(1);
            }
            try (Penstock store = Penstock.open(cloud.settings("b").level(ConsistencyLevel.SERIALIZABLE))) {
                assertThat(logOf(() -> store.transact(transaction -> {
                            RecordCollection<String, Long> strict =
                                    store.collection("new", Keys.string(), Json.of(Long.class));
                            transaction.put(
                                    strict, "a", transaction.get(strict, "a").orElse(0L) + 1);
                            return true;
                        })))
                        .doesNotContain("updates are lost");
            }
        });
    }

    /** What needs a domain says so when it is declared. */
    @Test
    void aUniqueIndexWithoutADomainIsRefusedWhenItIsDeclared() {
        run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("a"))) {
                Index<Long, String, Long> index = tickets(store).index("by-value", Keys.longs(), value -> value);
                assertThatThrownBy(index::unique)
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.DOMAIN_MISMATCH));
                RecordCollection<String, Long> strict = tickets(store).inDomain("main");
                strict.index("by-value", Keys.longs(), value -> value).unique();
                strict.put("left", 1L);
                assertThat(Optional.of(1L)).isEqualTo(strict.get("left"));
            }
        });
    }
}
