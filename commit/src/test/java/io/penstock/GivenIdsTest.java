package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.task.Task;
import io.penstock.feed.Change;
import io.penstock.feed.ChangeFeed;
import io.penstock.feed.Commit;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions with an id of the program's: each takes effect once, however often it is repeated. */
class GivenIdsTest {
    private static Settings settings(SimulatedStore cloud, String machine, ConsistencyLevel level) {
        return cloud.settings(machine).level(level);
    }

    private static RecordCollection<String, Long> counters(Penstock store) {
        return store.collection("counters", Keys.string(), Json.of(Long.class));
    }

    private static Optional<Long> add(Penstock store, String id) {
        RecordCollection<String, Long> counters = counters(store);
        return store.transact(id, tx -> {
            long next = tx.get(counters, "c").orElse(0L) + 1;
            tx.put(counters, "c", next);
            return next;
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"SNAPSHOT", "SERIALIZABLE"})
    void aRepeatHasNoEffect(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock one = Penstock.open(settings(cloud, "a", level));
                    Penstock other = Penstock.open(settings(cloud, "b", level))) {
                assertThat(add(one, "x")).contains(1L);
                assertThat(add(one, "x")).isEmpty();
                assertThat(add(other, "x")).isEmpty();
                assertThat(add(other, "y")).contains(2L);
                cloud.sleep(Duration.ofMinutes(2));
                assertThat(add(one, "y")).as("from pages").isEmpty();
                assertThat(counters(one).get("c")).contains(2L);
            }
        });
    }

    /** Whoever is first: the other one conflicts, runs again, and finds the id. */
    @ParameterizedTest
    @EnumSource(names = {"SNAPSHOT", "SERIALIZABLE"})
    void ofManyAtOnceOneTakesEffect(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            List<Penstock> stores = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                stores.add(Penstock.open(settings(cloud, "m" + i, level)));
            }
            counters(stores.getFirst()).put("c", 0L);
            AtomicInteger done = new AtomicInteger();
            for (int round = 0; round < 5; round++) {
                String id = "round" + round;
                List<Task<Boolean>> users = new ArrayList<>();
                for (int user = 0; user < 8; user++) {
                    Penstock store = stores.get(user % 4);
                    users.add(cloud.machine("user" + user).start("user", () -> {
                        if (add(store, id).isPresent()) {
                            done.incrementAndGet();
                        }
                    }));
                }
                users.forEach(Task::join);
            }
            assertThat(done).hasValue(5);
            assertThat(counters(stores.getFirst()).get("c")).contains(5L);
            stores.forEach(Penstock::close);
        });
    }

    /** The puts of log segments get lost, or their answers: a repeat tells which, and does what is not done. */
    @Test
    void anUnknownOutcomeIsFoundOutByARepeat() {
        int unknown = 0;
        for (int seed = 1; seed <= 12; seed++) {
            AtomicInteger seen = new AtomicInteger();
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                Settings settings =
                        settings(cloud, "a", ConsistencyLevel.SERIALIZABLE).callBudget(Duration.ofSeconds(5));
                try (Penstock store = Penstock.open(settings);
                        Penstock other = cloud.open("b")) {
                    add(store, "first");
                    cutOff(cloud);
                    try {
                        add(store, "x");
                    } catch (OutcomeUnknownException e) {
                        seen.incrementAndGet();
                    }
                    cloud.sleep(Duration.ofMinutes(3));
                    add(other, "x");
                    assertThat(add(store, "x")).isEmpty();
                    assertThat(counters(other).get("c")).contains(2L);
                }
            });
            unknown += seen.get();
        }
        assertThat(unknown).as("unknown outcomes").isPositive();
    }

    /** The machine stops for a minute within its next put of a segment. */
    private static void cutOff(SimulatedStore cloud) {
        boolean[] done = {false};
        int step = cloud.machine("dice").random().nextInt(2);
        cloud.cloud.watch((when, client, call, on, outcome) -> {
            boolean wanted = step == 0 ? when == CallWatcher.Step.BEGINS : when == CallWatcher.Step.DONE;
            if (!done[0]
                    && wanted
                    && on.contains("/log/main/0")
                    && client.name().equals("a")) {
                done[0] = true;
                client.freeze(Duration.ofMinutes(1));
            }
        });
    }

    @Test
    void abortedAndFailedBodiesAreNotRemembered() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(settings(cloud, "a", ConsistencyLevel.SERIALIZABLE))) {
                RecordCollection<String, Long> counters = counters(store);
                assertThat(store.transact("x", tx -> {
                            tx.put(counters, "c", 9L);
                            tx.abort();
                            return "aborted";
                        }))
                        .contains("aborted");
                assertThatThrownBy(() -> store.transact("x", tx -> {
                            tx.put(counters, "c", 9L);
                            throw new IllegalStateException("no");
                        }))
                        .hasMessage("no");
                assertThat(store.transact("x", tx -> 7)).as("nothing is used").contains(7);
                assertThat(add(store, "x")).contains(1L);
                assertThat(add(store, "x")).isEmpty();
            }
        });
    }

    @Test
    void bodiesThatOnlyReadOrCommitThemselvesAreRemembered() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(settings(cloud, "a", ConsistencyLevel.SERIALIZABLE))) {
                RecordCollection<String, Long> counters = counters(store);
                assertThat(store.transact("r", tx -> tx.get(counters, "c"))).contains(Optional.empty());
                assertThat(store.transact("r", tx -> tx.get(counters, "c"))).isEmpty();
                assertThat(store.transact("c", tx -> {
                            tx.put(counters, "c", 1L);
                            return tx.commit();
                        }))
                        .isPresent();
                assertThat(add(store, "c")).isEmpty();
            }
        });
    }

    /** An inner body is remembered with the outer one, and forgotten when it is taken back. */
    @Test
    void bodiesWithinBodiesHaveIdsOfTheirOwn() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(settings(cloud, "a", ConsistencyLevel.SERIALIZABLE))) {
                RecordCollection<String, Long> counters = counters(store);
                assertThat(store.transact("outer", tx -> {
                            assertThatThrownBy(() -> store.transact("thrown", inner -> {
                                        inner.put(counters, "thrown", 1L);
                                        throw new IllegalStateException("no");
                                    }))
                                    .hasMessage("no");
                            assertThat(add(store, "inner")).contains(1L);
                            assertThat(add(store, "inner")).isEmpty();
                            return "done";
                        }))
                        .contains("done");
                assertThat(add(store, "inner")).isEmpty();
                assertThat(add(store, "outer")).isEmpty();
                assertThat(counters.get("thrown")).isEmpty();
                assertThat(add(store, "thrown")).contains(2L);
                Optional<Long> repeated = store.transact(tx -> {
                    tx.put(counters, "beside", 1L);
                    return add(store, "outer");
                });
                assertThat(repeated).isEmpty();
                assertThat(counters.get("beside")).as("the outer part goes on").contains(1L);
            }
        });
    }

    /** Whatever a body makes of the exception that ends it: nothing of it counts. */
    @Test
    void aBodyCannotGoOnPastARepeat() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(settings(cloud, "a", ConsistencyLevel.SERIALIZABLE))) {
                RecordCollection<String, Long> counters = counters(store);
                add(store, "x");
                assertThat(store.transact("x", tx -> {
                            for (int i = 0; i < 3; i++) {
                                try {
                                    tx.put(counters, "c", 100L);
                                } catch (RuntimeException caught) {
                                    assertThat(caught).hasMessageContaining("committed before");
                                }
                            }
                            return "went on";
                        }))
                        .isEmpty();
                assertThat(counters.get("c")).contains(1L);
            }
        });
    }

    @Test
    void anIdIsForgottenAfterTheRetention() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings settings =
                    settings(cloud, "a", ConsistencyLevel.SERIALIZABLE).logRetention(Duration.ofDays(2));
            try (Penstock store = Penstock.open(settings)) {
                add(store, "x");
                cloud.sleep(Duration.ofDays(1));
                assertThat(add(store, "x")).isEmpty();
                cloud.sleep(Duration.ofDays(2));
                assertThat(add(store, "x")).contains(2L);
            }
        });
    }

    @Test
    void withoutADomainItIsRefused() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                assertThat(store.session().isolates()).isFalse();
                assertThatThrownBy(() -> store.transact("x", tx -> {
                            tx.put(words(store), "a", "1");
                            return true;
                        }))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining("made without a domain");
                assertThatThrownBy(() -> store.transact((String) null, tx -> true))
                        .isInstanceOf(InvalidRequestException.class);
            }
        });
    }

    /** One object of the log holds both, and feeds show records of programs alone. */
    @Test
    void anIdIsNoChangeOfAFeed() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(settings(cloud, "a", ConsistencyLevel.SERIALIZABLE))) {
                counters(store).put("c", 0L);
                String from = store.position("main");
                add(store, "x");
                ChangeFeed feed = store.changes(from);
                Commit commit = feed.next(Duration.ZERO).orElseThrow();
                assertThat(commit.changes()).extracting(Change::collection).containsExactly("counters");
                assertThat(feed.next(Duration.ZERO)).isEmpty();
                assertThatThrownBy(() -> store.changes(null))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining("position");
            }
        });
    }
}
