package io.penstock;

import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends that fail for good, or whose answer is lost for good. */
class UnknownOutcomeTest {
    private static Settings settings(SimulatedStore cloud, FaultyQueues queues) {
        SimulatedClient machine = cloud.machine("a");
        return Settings.on(cloud.cloud.objects(machine), queues, machine)
                .level(ConsistencyLevel.ATOMIC)
                .pageBytes(1024);
    }

    private static FaultyQueues faulty(SimulatedStore cloud, String part) {
        return new FaultyQueues(cloud.cloud.queues(cloud.machine("a")), part);
    }

    private static void putBoth(Penstock store, String value) {
        store.transact(tx -> {
            tx.put(words(store), "x", value);
            tx.put(words(store), "y", value);
            return true;
        });
    }

    /**
     * The lost commit record may have arrived or not. The client ends, another client recovers, and the transaction is
     * applied in full or not at all.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCommitRecordOfUnknownFate(boolean arrives) {
        for (boolean before : List.of(true, false)) {
            new SimulatedStore(1, World.CALM).run(cloud -> {
                FaultyQueues queues = faulty(cloud, "-at-");
                Penstock store = Penstock.open(settings(cloud, queues));
                if (before) {
                    putBoth(store, "old");
                }
                queues.set((queue, bodies) -> {
                    if (arrives) {
                        queue.send(bodies);
                    }
                    throw new OutcomeUnknownException("the answer was lost");
                });
                assertThatThrownBy(() -> putBoth(store, "new"))
                        .isInstanceOf(OutcomeUnknownException.class)
                        .is(code(ErrorCode.OUTCOME_UNKNOWN));
                queues.heal();
                store.close();
                try (Penstock other = cloud.open("b")) {
                    SimulatedStore.settle(other, cloud.machine("b"));
                    String old = before ? "old" : null;
                    assertThat(words(other).get("x").orElse(null)).isEqualTo(arrives ? "new" : old);
                    assertThat(words(other).get("y").orElse(null)).isEqualTo(arrives ? "new" : old);
                    assertThat(other.admin().backlog().total()).isZero();
                }
            });
        }
    }

    @Test
    void aCommitThatFailedForCertainIsNotThere() {
        for (ConsistencyLevel level : Levels.except(
                ConsistencyLevel.NAIVE,
                ConsistencyLevel.BASIC,
                ConsistencyLevel.SNAPSHOT,
                ConsistencyLevel.SERIALIZABLE)) {
            new SimulatedStore(1, World.CALM).run(cloud -> {
                FaultyQueues queues = faulty(cloud, level == ConsistencyLevel.ATOMIC ? "-at-" : "-pu-");
                try (Penstock store = Penstock.open(settings(cloud, queues).level(level))) {
                    putBoth(store, "1");
                    queues.set((queue, bodies) -> {
                        throw new UnavailableException("throttled");
                    });
                    assertThatThrownBy(() -> putBoth(store, "2")).isInstanceOf(UnavailableException.class);
                    assertThat(words(store).get("x")).hasValue("1");
                    queues.heal();
                    putBoth(store, "3");
                    assertThat(words(store).get("x")).hasValue("3");
                }
                try (Penstock other = cloud.open("b")) {
                    assertThat(SimulatedStore.content(other)).isEqualTo(Map.of("x", "3", "y", "3"));
                }
            });
        }
    }

    /**
     * A batch of which only the end arrived leaves a hole in the numbers of its sender. The hole is skipped when the
     * sender's id counts as dead, though the client that has retired it lives on.
     */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "SNAPSHOT", "SERIALIZABLE"})
    void aHoleInTheNumbersOfALivingClientIsSkipped(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            FaultyQueues queues = faulty(cloud, "-pu-");
            Settings settings =
                    settings(cloud, queues).level(level).advanced(advanced -> advanced.layout(Layout.perLeaf()));
            try (Penstock store = Penstock.open(settings)) {
                putBoth(store, "1");
                store.admin().checkpoint();
                queues.set(FaultyQueues::onlyTheLast);
                if (level == ConsistencyLevel.MONOTONIC) {
                    assertThatThrownBy(() -> insert(store)).isInstanceOf(OutcomeUnknownException.class);
                } else {
                    insert(store);
                    cloud.sleep(Duration.ofSeconds(10));
                }
                queues.heal();
                // It lives on, and commits now and then.
                for (int i = 0; i < 30; i++) {
                    cloud.sleep(Duration.ofSeconds(30));
                    putBoth(store, "more" + i);
                }
                cloud.sleep(Duration.ofMinutes(1));
                assertThat(cloud.depth("pu-")).isZero();
                if (level == ConsistencyLevel.ATOMIC) {
                    assertThat(SimulatedStore.content(store)).hasSize(8);
                }
            }
        });
    }

    private static void insert(Penstock store) {
        store.transact(tx -> {
            for (int i = 0; i < 6; i++) {
                tx.put(words(store), "new" + i, "1");
            }
            return true;
        });
    }

    @Test
    void aFullBacklogRefusesCommitsUntilItIsForwarded() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            FaultyQueues queues = faulty(cloud, "-pu-");
            Settings settings = settings(cloud, queues).pageBytes(1 << 20).closeWithin(Duration.ofMinutes(5));
            try (Penstock store = Penstock.open(settings)) {
                queues.set((queue, bodies) -> {
                    throw new UnavailableException("throttled");
                });
                String large = "x".repeat(240_000);
                assertThatThrownBy(() -> {
                            for (int i = 0; i < 400; i++) {
                                words(store).put("k" + i % 3, large + i);
                            }
                        })
                        .isInstanceOf(UnavailableException.class)
                        .is(code(ErrorCode.BACKLOG_FULL));
                queues.heal();
                cloud.sleep(Duration.ofMinutes(3));
                words(store).put("after", "1");
                assertThat(words(store).get("after")).hasValue("1");
            }
        });
    }
}
