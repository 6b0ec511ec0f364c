package io.penstock;

import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.task.Task;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What sessions have committed and is not applied has a bound in memory, which slows writers down to what checkpoints
 * get through. Times are virtual.
 */
class SessionMemoryTest {
    private static final String VALUE = "v".repeat(15_000);
    private static final int WRITERS = 16;
    private static final int MEMORY = 1 << 20;

    private final MeterRegistry meters = new SimpleMeterRegistry();

    private Settings settings(SimulatedStore cloud, ConsistencyLevel level) {
        return cloud.settings("a")
                .level(level)
                .pageBytes(65_536)
                .advanced(advanced -> advanced.sessionBytes(MEMORY))
                .meters(meters);
    }

    private double bytes() {
        return meters.get("penstock.pending.unapplied.bytes").gauge().value();
    }

    private static List<Task<Boolean>> write(
            SimulatedStore cloud, Penstock store, int from, int commits, Runnable afterEach) {
        SimulatedClient machine = cloud.machine("a");
        List<Task<Boolean>> writers = new ArrayList<>();
        for (int writer = from; writer < from + WRITERS; writer++) {
            String key = "k" + writer + "-";
            writers.add(machine.fork("writer", () -> {
                for (int i = 0; i < commits; i++) {
                    words(store).put(key + i, VALUE);
                    afterEach.run();
                }
                return true;
            }));
        }
        return writers;
    }

    /** This used to be refused as soon as the memory was full: for 64 MiB after five seconds. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "SNAPSHOT", "SERIALIZABLE"})
    void writersAreSlowedDownToWhatCheckpointsGetThrough(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            int commits = 20;
            try (Penstock store = Penstock.open(settings(cloud, level))) {
                write(cloud, store, 0, commits, () -> assertThat(bytes()).isLessThanOrEqualTo(MEMORY))
                        .forEach(Task::join);
                assertThat(SimulatedStore.content(store)).hasSize(WRITERS * commits);
            }
            // Four times what fits into memory: with the interval and the TTL of ten seconds each, over a minute.
            assertThat(cloud.seconds()).as("early checkpoints").isLessThan(60);
        });
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "SNAPSHOT", "SERIALIZABLE"})
    void withoutCheckpointsTheyAreRefusedAfterTheCallBudget(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Duration budget = Duration.ofSeconds(20);
            try (Penstock store =
                    Penstock.open(settings(cloud, level).checkpointing(false).callBudget(budget))) {
                int fit = MEMORY / VALUE.length();
                for (int i = 0; i < fit; i++) {
                    words(store).put("k" + i, VALUE);
                }
                long before = cloud.seconds();
                List<Task<Boolean>> writers = new ArrayList<>();
                for (int i = 0; i < WRITERS; i++) {
                    String key = "more" + i;
                    writers.add(cloud.machine("a").fork("writer", () -> {
                        assertThatThrownBy(() -> words(store).put(key, VALUE))
                                .isInstanceOf(RefusedException.class)
                                .is(code(ErrorCode.BACKLOG_FULL))
                                .hasMessageContaining("waitedSeconds=20");
                        return true;
                    }));
                }
                writers.forEach(Task::join);
                assertThat(cloud.seconds() - before).isBetween(budget.toSeconds(), budget.toSeconds() + 2);
                try (Penstock other = cloud.open("b")) {
                    other.admin().checkpoint();
                }
                cloud.sleep(Duration.ofSeconds(12));
                words(store).put("then", VALUE);
            }
        });
    }

    /** A session for each user of a web server: they share the memory of their client. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "SNAPSHOT", "SERIALIZABLE"})
    void allSessionsOfAClientShareItsMemory(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(settings(cloud, level))) {
                List<Session> sessions = new ArrayList<>();
                for (int i = 0; i < 200; i++) {
                    Session session = store.newSession();
                    sessions.add(session);
                    String key = "k" + i;
                    session.transact(transaction -> {
                        transaction.put(words(store), key, VALUE);
                        return true;
                    });
                    assertThat(bytes()).isLessThanOrEqualTo(MEMORY);
                }
                sessions.forEach(Session::close);
                assertThat(bytes()).isZero();
            }
        });
    }

    /**
     * Another client checkpoints, and pooled pages are never due by their age: where memory is short, what the ledger
     * has leaves at once, and the page that takes its place is the one with the record.
     */
    @Test
    void aSessionReadsItsWritesAlsoWhenTheyLeaveEarly() {
        Levels.except(
                        ConsistencyLevel.NAIVE,
                        ConsistencyLevel.BASIC,
                        ConsistencyLevel.SNAPSHOT,
                        ConsistencyLevel.SERIALIZABLE)
                .forEach(this::readsItsWritesThatLeaveEarly);
    }

    private void readsItsWritesThatLeaveEarly(ConsistencyLevel level) {
        for (long seed = 1; seed <= 2; seed++) {
            meters.clear();
            long drawn = seed;
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                Settings settings = settings(cloud, level)
                        .checkpointing(false)
                        .ttl(Duration.ofMinutes(5))
                        .advanced(advanced -> advanced.forwardInterval(Duration.ofMillis(100)));
                try (Penstock store = Penstock.open(settings);
                        Penstock other = Penstock.open(cloud.settings("b").ttl(Duration.ofMillis(1)))) {
                    int keys = 40;
                    int early = 0;
                    for (int round = 0; round < 4; round++) {
                        for (int i = 0; i < keys; i++) {
                            double before = bytes();
                            words(store).put("k" + i, round + VALUE);
                            early += bytes() < before ? 1 : 0;
                            for (int key = 0; key < keys; key++) {
                                String expected = (key <= i ? round : round - 1) + VALUE;
                                assertThat(words(store).get("k" + key).orElse("-1" + VALUE))
                                        .as("seed=%d level=%s round=%d key=%d", drawn, level, round, key)
                                        .isEqualTo(expected);
                            }
                        }
                        cloud.sleep(Duration.ofSeconds(1));
                        other.admin().checkpoint();
                    }
                    assertThat(early).as("memory was short").isPositive();
                }
            });
        }
    }
}
