package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ConflictException;
import io.penstock.core.DuplicateException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.task.Task;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What users expect of a database among many clients, at the levels that isolate. */
class IsolationTest {
    private static final int MACHINES = 4;
    private static final int USERS = 4;

    private static RecordCollection<String, Long> stock(Penstock store) {
        return store.collection("stock", Keys.string(), Json.of(Long.class));
    }

    private static RecordCollection<String, String> people(Penstock store) {
        return store.collection("people", Keys.string(), Json.of(String.class));
    }

    /** Runs the same on some machines, several users on each, and waits for all. */
    private static void everywhere(SimulatedStore cloud, ConsistencyLevel level, BiConsumer<Penstock, Integer> work) {
        List<Task<Boolean>> tasks = new ArrayList<>();
        for (int m = 0; m < MACHINES; m++) {
            SimulatedClient machine = cloud.machine("m" + m);
            Settings settings = cloud.settings("m" + m).level(level);
            int first = m * USERS;
            tasks.add(machine.start("machine", () -> {
                try (Penstock store = Penstock.open(settings)) {
                    List<Task<Boolean>> users = new ArrayList<>();
                    for (int u = 0; u < USERS; u++) {
                        int user = first + u;
                        users.add(machine.start("user", () -> work.accept(store, user)));
                    }
                    users.forEach(Task::join);
                }
            }));
        }
        tasks.forEach(Task::join);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "MONOTONIC", "ATOMIC"})
    void theLastCopiesAreSoldOnce(ConsistencyLevel level) {
        for (long seed = 1; seed <= 5; seed++) {
            AtomicInteger sold = new AtomicInteger();
            String run = "seed=" + seed;
            new SimulatedStore(seed, World.ROUGH).run(cloud -> {
                try (Penstock store = Penstock.open(cloud.settings("shop").level(level))) {
                    stock(store).put("book", 10L);
                    everywhere(cloud, level, (shop, user) -> {
                        boolean mine = shop.transact(transaction -> {
                            long left = transaction.get(stock(shop), "book").orElseThrow();
                            if (left > 0) {
                                transaction.put(stock(shop), "book", left - 1);
                            }
                            return left > 0;
                        });
                        sold.addAndGet(mine ? 1 : 0);
                    });
                    assertThat(stock(store).get("book")).as(run).contains(0L);
                }
            });
            assertThat(sold).as(run).hasValue(10);
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "MONOTONIC", "ATOMIC"})
    void aUniqueIndexTakesOneOfManySignUps(ConsistencyLevel level) {
        for (long seed = 1; seed <= 5; seed++) {
            AtomicInteger in = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            new SimulatedStore(seed, World.CALM)
                    .run(cloud -> everywhere(cloud, level, (store, user) -> {
                        RecordCollection<String, String> people = people(store);
                        var unused = people.index("by-mail", Keys.string(), mail -> mail)
                                .unique();
                        try {
                            people.put("user" + user, "same@example.org");
                            in.incrementAndGet();
                        } catch (DuplicateException taken) {
                            refused.incrementAndGet();
                        }
                    }));
            assertThat(List.of(in.get(), refused.get())).as("seed=" + seed).containsExactly(1, MACHINES * USERS - 1);
        }
    }

    /** A search key that was free before the transaction began is not taken, whatever this client knew last. */
    @Test
    void aSearchKeyThatIsFreeAgainIsFree() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock a = Penstock.open(cloud.settings("a").level(ConsistencyLevel.SERIALIZABLE));
                    Penstock b = Penstock.open(cloud.settings("b").level(ConsistencyLevel.SERIALIZABLE))) {
                RecordCollection<String, String> ofA = people(a);
                RecordCollection<String, String> ofB = people(b);
                var unused = ofA.index("by-mail", Keys.string(), mail -> mail).unique();
                var alike = ofB.index("by-mail", Keys.string(), mail -> mail).unique();
                ofA.put("a", "same@example.org");
                assertThat(ofB.get("a")).isPresent();
                ofA.delete("a");
                ofB.put("b", "same@example.org");
            }
        });
    }

    /** Two that each read what the other writes: at SNAPSHOT both commit. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "MONOTONIC", "ATOMIC"})
    void writeSkewIsOnlySerializablesMatter(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock a = Penstock.open(cloud.settings("a").level(level));
                    Penstock b = Penstock.open(cloud.settings("b").level(level))) {
                stock(a).put("x", 1L);
                stock(a).put("y", 1L);
                Transaction one = a.begin();
                Transaction two = b.begin();
                assertThat(one.get(stock(a), "y")).contains(1L);
                assertThat(two.get(stock(b), "x")).contains(1L);
                one.put(stock(a), "x", 0L);
                two.put(stock(b), "y", 0L);
                one.commit();
                if (level == ConsistencyLevel.SERIALIZABLE) {
                    assertThatThrownBy(two::commit)
                            .isInstanceOf(ConflictException.class)
                            .hasMessageContaining("collection=stock")
                            .hasMessageContaining("KEY");
                } else {
                    two.commit();
                }
            }
        });
    }

    /** A record that appears in a range that was read, of the collection or of an index. */
    @Test
    void phantomsAreConflicts() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings settings = cloud.settings("a").level(ConsistencyLevel.SERIALIZABLE);
            try (Penstock store = Penstock.open(settings)) {
                RecordCollection<String, String> people = people(store);
                Index<String, String, String> byMail = people.index("by-mail", Keys.string(), mail -> mail);
                people.put("a", "m");
                for (boolean byIndex : new boolean[] {false, true}) {
                    Transaction counter = store.begin();
                    try (Scan<?> scan =
                            byIndex ? counter.scan(byMail, KeySpan.all()) : counter.scan(people, KeySpan.all())) {
                        scan.forEachRemaining(each -> {});
                    }
                    people.put("new-" + byIndex, "p" + byIndex);
                    counter.put(people, "count", "z");
                    assertThatThrownBy(counter::commit)
                            .isInstanceOf(ConflictException.class)
                            .hasMessageContaining("RANGE");
                }
            }
        });
    }

    /** Money moves all the time, checkpoints run, and every reader sees the same sum. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "MONOTONIC", "ATOMIC"})
    void everyReaderSeesTheSum(ConsistencyLevel level) {
        int accounts = 60;
        new SimulatedStore(3, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("bank").level(level))) {
                store.transact(transaction -> {
                    for (int i = 0; i < accounts; i++) {
                        transaction.put(stock(store), "a" + i, 100L);
                    }
                    return true;
                });
                everywhere(cloud, level, (bank, user) -> {
                    for (int round = 0; round < 10; round++) {
                        if (user % USERS == 0) {
                            assertThat(sum(bank)).isEqualTo(100L * accounts);
                        } else {
                            move(bank, "a" + (user * 7 + round) % accounts, "a" + (user + round * 11) % accounts);
                        }
                        cloud.machine("main").sleep(Duration.ofMillis(700));
                    }
                });
                assertThat(sum(store)).isEqualTo(100L * accounts);
            }
        });
    }

    private static long sum(Penstock bank) {
        return bank.read(transaction -> {
            long sum = 0;
            try (Scan<Entry<String, Long>> scan = transaction.scan(stock(bank), KeySpan.all())) {
                while (scan.hasNext()) {
                    sum += scan.next().value();
                }
            }
            return sum;
        });
    }

    private static void move(Penstock bank, String from, String to) {
        bank.transact(transaction -> {
            RecordCollection<String, Long> accounts = stock(bank);
            transaction.put(accounts, from, transaction.get(accounts, from).orElseThrow() - 1);
            transaction.put(accounts, to, transaction.get(accounts, to).orElseThrow() + 1);
            return true;
        });
    }

    /** Changes of one record by what it is need no transaction, and no level either. */
    @Test
    void recordsAreChangedByWhatTheyAre() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            everywhere(cloud, ConsistencyLevel.ATOMIC, (store, user) -> {
                RecordCollection<String, Long> counters = stock(store).inDomain("counters");
                RecordCollection.increment(counters, "visits", 2);
            });
            try (Penstock store = cloud.open("after")) {
                RecordCollection<String, Long> counters = stock(store).inDomain("counters");
                assertThat(RecordCollection.increment(counters, "visits", 0)).isEqualTo(2L * MACHINES * USERS);
                assertThat(counters.putIfAbsent("visits", 1L)).isFalse();
                assertThat(counters.putIfAbsent("other", 1L)).isTrue();
                assertThat(counters.replace("other", 2L, 3L)).isFalse();
                assertThat(counters.replace("other", 1L, 3L)).isTrue();
                assertThat(counters.update("other", found -> Optional.empty())).isEmpty();
                assertThat(counters.putIfAbsent("other", 4L)).isTrue();
            }
        });
    }

    /** What cannot be isolated says so, and changes nothing. */
    @Test
    void whatCannotBeIsolatedIsRefused() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings settings = cloud.settings("a").level(ConsistencyLevel.SERIALIZABLE);
            try (Penstock store = Penstock.open(settings);
                    Penstock weak = cloud.open("b")) {
                RecordCollection<String, Long> stock = stock(store);
                stock.put("x", 1L);
                people(weak).put("p", "somebody");
                Iterator<Entry<String, Long>> none =
                        List.<Entry<String, Long>>of().iterator();
                refused(
                        () -> weak.transact(transaction -> {
                            transaction.put(stock(weak), "x", 2L);
                            return true;
                        }),
                        ErrorCode.DOMAIN_MISMATCH);
                refused(() -> people(store).get("p"), ErrorCode.DOMAIN_MISMATCH);
                refused(() -> stock.load(none, n -> {}), ErrorCode.DOMAIN_MISMATCH);
                refused(
                        () -> store.read(transaction -> {
                            transaction.put(stock, "x", 3L);
                            return true;
                        }),
                        ErrorCode.READ_ONLY);
                RecordCollection<String, Long> elsewhere = store.collection("more", Keys.string(), Json.of(Long.class))
                        .inDomain("elsewhere");
                refused(
                        () -> store.transact(transaction -> {
                            transaction.put(stock, "x", 3L);
                            transaction.put(elsewhere, "x", 3L);
                            return true;
                        }),
                        ErrorCode.DOMAIN_MISMATCH);
                refused(
                        () -> weak.collection("u", Keys.string(), Json.of(String.class))
                                .index("i", Keys.string(), value -> value)
                                .unique()
                                .scan("x"),
                        ErrorCode.DOMAIN_MISMATCH);
                assertThat(stock.get("x")).contains(1L);
            }
        });
    }

    private static void refused(Runnable call, ErrorCode why) {
        assertThatThrownBy(call::run)
                .isInstanceOf(InvalidRequestException.class)
                .is(code(why));
    }

    /** A client that dies leaves nothing behind: what was acknowledged is in the log, for all to see. */
    @Test
    void whatWasAcknowledgedIsSeenAtOnce() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings settings = cloud.settings("a").level(ConsistencyLevel.SNAPSHOT);
            Penstock dead = Penstock.open(settings);
            stock(dead).put("x", 1L);
            try (Penstock store = Penstock.open(cloud.settings("b").level(ConsistencyLevel.SNAPSHOT))) {
                assertThat(stock(store).get("x")).contains(1L);
                stock(dead).put("x", 2L);
                assertThat(stock(store).get("x")).contains(2L);
            }
            dead.close();
        });
    }
}
