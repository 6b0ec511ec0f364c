package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Task;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Servers that are away while many callers of one handle want something, in virtual time: how long each caller waits
 * does not grow with their number, and afterwards the handle goes on.
 */
class OutageTest {
    private static final int CALLERS = 600;
    /** Texts so long that the log records of all callers do not fit into one call. */
    private static final int TEXT_LENGTH = 10_000;

    private static final Duration BUDGET = Duration.ofSeconds(10);

    /** The time for the successive calls of a new client's first commit: read, register, send. */
    private static final Duration WITHIN = BUDGET.multipliedBy(3);

    /** Every request fails. */
    private static final World AWAY = new World(1, 0, 0, Duration.ZERO, 0, 0, Duration.ZERO);

    /** No write is ever answered; half of them take effect. */
    private static final World SILENT = new World(0, 1, 0, Duration.ZERO, 0, 0, Duration.ZERO);

    @ParameterizedTest
    @EnumSource
    void callersOfAFreshHandleFailInTime(ConsistencyLevel level) {
        outage(level, AWAY, false);
    }

    @ParameterizedTest
    @EnumSource
    void callersOfAUsedHandleFailInTime(ConsistencyLevel level) {
        outage(level, AWAY, true);
    }

    /** With a commit log a client finds its segment there, and needs no answer. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "SNAPSHOT", "SERIALIZABLE"})
    void callersOfSilentServersFailInTime(ConsistencyLevel level) {
        outage(level, SILENT, true);
    }

    private static void outage(ConsistencyLevel level, World world, boolean used) {
        SimulatedStore cloud = new SimulatedStore(1, World.CALM);
        Map<String, String> acknowledged = new TreeMap<>();
        cloud.run(s -> {
            try (Penstock earlier =
                    Penstock.open(s.settings("earlier").level(level).pageBytes(64 << 10))) {
                commit(earlier, level, "zero");
            }
            SimulatedClient machine = s.machine("a");
            Settings settings = s.settings("a")
                    .pageBytes(64 << 10)
                    .callBudget(BUDGET)
                    .closeWithin(Duration.ofMinutes(10))
                    .level(level);
            try (Penstock store = Penstock.open(settings)) {
                RecordCollection<String, String> words = SimulatedStore.words(store);
                assertThat(words.get("zero")).isPresent();
                if (used) {
                    commit(store, level, "one");
                }
                s.sleep(Duration.ofSeconds(5));

                s.cloud.setWorld(world);
                List<Task<Boolean>> callers = new ArrayList<>();
                for (int i = 0; i < CALLERS; i++) {
                    String key = "away" + i;
                    callers.add(machine.start(key, () -> assertFailsInTime(s, store, level, key)));
                }
                callers.forEach(Task::join);
                s.cloud.setWorld(World.CALM);

                for (int i = 0; i < CALLERS; i++) {
                    commit(store, level, "back" + i);
                    acknowledged.put("back" + i, "back" + i + ".".repeat(TEXT_LENGTH));
                }
            }
            try (Penstock reader = s.open("reader")) {
                SimulatedStore.settle(reader, s.machine("reader"));
                assertThat(SimulatedStore.content(reader)).containsAllEntriesOf(acknowledged);
                assertThat(StoreProbe.faults(reader)).isEmpty();
                assertThat(reader.admin().backlog().total()).isZero();
            }
        });
    }

    private static void assertFailsInTime(SimulatedStore s, Penstock store, ConsistencyLevel level, String key) {
        long begun = s.seconds();
        Throwable failure = catchThrowable(() -> commit(store, level, key));
        assertThat(failure).as(key).isInstanceOfAny(UnavailableException.class, OutcomeUnknownException.class);
        assertThat(s.seconds() - begun).as(key).isLessThanOrEqualTo(WITHIN.toSeconds());
    }

    private static void commit(Penstock store, ConsistencyLevel level, String key) {
        store.transact(level, tx -> {
            tx.put(SimulatedStore.words(store), key, key + ".".repeat(TEXT_LENGTH));
            return true;
        });
    }
}
