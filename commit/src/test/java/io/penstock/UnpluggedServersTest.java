package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.StoredObject;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.AwsServers;
import io.penstock.testing.FaultProxy.Plug;
import io.penstock.testing.PrivateServer;
import io.penstock.testing.RealServers;
import io.penstock.testing.RealServers.Endpoint;
import io.penstock.testing.UnreliableServers;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The plug of a real server is pulled under an open store. As docs/OPERATIONS.md says, every call fails in time with an
 * exception of this library, and when the server is back the same handle works again.
 */
@Tag("servers")
@Tag("long")
class UnpluggedServersTest {
    /** The longest silence of a server; a request may take twice as long. */
    private static final Duration SILENCE = Duration.ofMillis(750);

    private static final Duration REQUEST = SILENCE.multipliedBy(2);
    private static final Duration BUDGET = Duration.ofSeconds(2);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(3);

    /** The bound of docs/OPERATIONS.md, and an allowance for a busy machine. */
    private static final Duration IN_TIME = BUDGET.plus(REQUEST).multipliedBy(3).plusSeconds(15);

    /** Those of a collection that belongs to no domain. */
    private static final List<ConsistencyLevel> LEVELS =
            Levels.except(ConsistencyLevel.SNAPSHOT, ConsistencyLevel.SERIALIZABLE);

    private final ThreadTasks tasks = new ThreadTasks();
    private final String prefix = "u" + Long.toHexString(tasks.random().nextLong());

    @ParameterizedTest
    @EnumSource(
            value = Plug.class,
            names = {"REFUSING", "BLACK_HOLE"})
    void callsFailInTimeAndTheHandleGoesOn(Plug away) {
        try (UnreliableServers servers = new UnreliableServers(RealServers.localstack(), 1)) {
            unplug(servers.endpoint(), () -> servers.setPlug(away), () -> servers.setPlug(Plug.IN));
        }
    }

    /** The process exists and its connections are open, but it does not run; requests may take effect afterwards. */
    @Test
    void aServerThatStandsStill() {
        try (PrivateServer server = PrivateServer.localstack()) {
            unplug(server.endpoint(), server::pause, server::resume);
        }
    }

    private Settings settings(AwsServers servers) {
        return Settings.on(servers.objects(), servers.queues(), tasks)
                .level(ConsistencyLevel.ATOMIC)
                .prefix(prefix)
                .ttl(Duration.ofMillis(1))
                .checkpointInterval(Duration.ofMillis(500))
                .advanced(advanced ->
                        advanced.forwardInterval(Duration.ofMillis(100)).heartbeatInterval(Duration.ofSeconds(1)))
                .deadAfter(Duration.ofSeconds(20))
                .advanced(advanced -> advanced.lease(Duration.ofSeconds(5)))
                .callBudget(BUDGET)
                .closeWithin(CLOSE_WITHIN);
    }

    private void unplug(Endpoint endpoint, Runnable pull, Runnable plugIn) {
        try (AwsServers servers = AwsServers.at(endpoint, SILENCE, tasks);
                Penstock store = Penstock.open(settings(servers))) {
            RecordCollection<String, String> words = words(store);
            Penstock other = Penstock.open(settings(servers));
            for (ConsistencyLevel level : LEVELS) {
                eventually("commit at " + level, () -> commits(store, level, "before-" + level));
                eventually("commit at " + level, () -> commits(other, level, "other-" + level));
            }

            pull.run();
            try {
                everyCallFailsInTime(store, words);
                long begun = tasks.nanoTime();
                other.close();
                assertThat(took(begun)).as("close").isLessThan(CLOSE_WITHIN.plus(IN_TIME));
            } finally {
                plugIn.run();
            }

            long back = tasks.nowMillis();
            for (ConsistencyLevel level : LEVELS) {
                eventually("commit at " + level, () -> commits(store, level, "after-" + level));
            }
            eventually("heartbeat", () -> heartbeatOf(store, servers) > back);
            // No call asks for a checkpoint: background tasks apply everything. A few messages stay in the ATOMIC
            // queues, all of which were forwarded.
            eventually("checkpoint", () -> store.admin().backlog().pendingMessages() == 0);
            for (ConsistencyLevel level : LEVELS) {
                assertThat(words.get("before-" + level)).isPresent();
                assertThat(words.get("after-" + level)).isPresent();
            }
            assertThat(store.admin().verify().violations()).isEmpty();
        }
    }

    private void everyCallFailsInTime(Penstock store, RecordCollection<String, String> words) {
        failsInTime("get", () -> words.get("before-ATOMIC"));
        for (ConsistencyLevel level : LEVELS) {
            failsInTime("transact " + level, () -> commit(store, level, "away-" + level));
        }
        failsInTime("scan", () -> {
            try (Scan<Entry<String, String>> scan = words.scan(KeySpan.all())) {
                scan.forEachRemaining(entry -> {});
            }
        });
        failsInTime("checkpoint", store.admin()::checkpoint);
        failsInTime("recover", store.admin()::recover);
        failsInTime("backlog", store.admin()::backlog);
        failsInTime("check", store.admin()::verify);
        failsInTime("collections", store::collections);
    }

    private void failsInTime(String call, Runnable body) {
        long begun = tasks.nanoTime();
        Throwable failure = catchThrowable(body::run);
        assertThat(failure).as(call).isInstanceOfAny(UnavailableException.class, OutcomeUnknownException.class);
        assertThat(took(begun)).as(call).isLessThan(IN_TIME);
    }

    private Duration took(long begunNanos) {
        return Duration.ofNanos(tasks.nanoTime() - begunNanos);
    }

    private static RecordCollection<String, String> words(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    private static void commit(Penstock store, ConsistencyLevel level, String key) {
        store.transact(level, tx -> {
            tx.put(words(store), key, key);
            return true;
        });
    }

    private static boolean commits(Penstock store, ConsistencyLevel level, String key) {
        commit(store, level, key);
        return true;
    }

    private long heartbeatOf(Penstock store, AwsServers servers) {
        return servers.objects()
                .get(prefix + "/clients/" + store.clientId().hex())
                .map(StoredObject::modifiedMillis)
                .orElse(0L);
    }

    /**
     * Tries for as long as a slow machine may take; a call may fail while connections of before are found to be dead.
     */
    private void eventually(String what, BooleanSupplier holds) {
        long begun = tasks.nanoTime();
        StoreException last = null;
        while (took(begun).compareTo(Duration.ofMinutes(2)) < 0) {
            try {
                if (holds.getAsBoolean()) {
                    return;
                }
            } catch (UnavailableException | OutcomeUnknownException e) {
                last = e;
            }
            tasks.sleep(Duration.ofMillis(200));
        }
        throw new AssertionError(what + " did not come about", last);
    }
}
