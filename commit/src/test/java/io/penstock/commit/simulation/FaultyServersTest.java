package io.penstock.commit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import io.penstock.Entry;
import io.penstock.FinalState;
import io.penstock.Json;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Session;
import io.penstock.Settings;
import io.penstock.StoreProbe;
import io.penstock.Transaction;
import io.penstock.commit.simulation.promise.Evidence;
import io.penstock.commit.simulation.promise.Order;
import io.penstock.commit.simulation.promise.Promises;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.AwsServers;
import io.penstock.testing.FaultMix;
import io.penstock.testing.FaultMix.Fault;
import io.penstock.testing.RealServers;
import io.penstock.testing.UnreliableServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clients of a real server behind a proxy that delays, cuts and throttles, on real threads and clocks. Then the faults
 * end, and the content of the store is compared with the promises of each level. {@code scripts/faults} runs it for
 * longer.
 */
@Tag("servers")
@Tag("long")
class FaultyServersTest {
    private static final Logger LOG = LoggerFactory.getLogger(FaultyServersTest.class);
    private static final int CLIENTS = 3;
    private static final int SESSIONS = 2;
    private static final int KEYS = 40;

    /** Of real time, and of each level. */
    private static final Duration FAULTS = Duration.ofSeconds(Integer.getInteger("seconds", 21) / 3);

    /** Enough rounds to meet every kind of fault, however slow the machine. */
    private static final int ROUNDS_MIN = 20;

    /** One request in six meets a fault. */
    private static final FaultMix MIX = FaultMix.each(1 / 30.0, Duration.ofMillis(400));

    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Duration DEAD_AFTER = Duration.ofSeconds(10);

    private final ThreadTasks tasks = new ThreadTasks();
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final History history = new History();
    private final ReentrantLock beginning = new ReentrantLock();

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NAIVE")
    void promisesHold(ConsistencyLevel level) throws Exception {
        String run = "seed=" + seed + " level=" + level;
        LOG.info("{} seconds={}", run, FAULTS.toSeconds());
        String prefix = "f" + Long.toHexString(new SplittableRandom(seed).nextLong() + level.ordinal());
        try (UnreliableServers servers = new UnreliableServers(RealServers.localstack(), seed)) {
            work(servers, prefix, level);
            LOG.info("{} {} {}", run, outcomes(), servers.describe());
            assertThat(Stream.of(Fault.values()).filter(fault -> fault != Fault.SWALLOWED))
                    .allSatisfy(fault ->
                            assertThat(servers.count(fault)).as("%s", fault).isPositive());
            servers.setMix(FaultMix.CALM);
            assertThat(verify(servers, prefix, level)).as(run).isEmpty();
        }
    }

    private Settings settings(AwsServers servers, String prefix, ConsistencyLevel level) {
        return Settings.on(servers.objects(), servers.queues(), tasks)
                .prefix(prefix)
                .level(level)
                .pageBytes(2048)
                .poolBytes(256 << 10)
                .ttl(Duration.ofMillis(300))
                .checkpointInterval(Duration.ofMillis(700))
                .advanced(advanced ->
                        advanced.forwardInterval(Duration.ofMillis(150)).heartbeatInterval(Duration.ofSeconds(2)))
                .deadAfter(DEAD_AFTER)
                .advanced(advanced -> advanced.lease(LEASE))
                .closeWithin(Duration.ofSeconds(5));
    }

    private static RecordCollection<String, String> records(Penstock store) {
        return store.collection("records", Keys.string(), Json.of(String.class));
    }

    private void work(UnreliableServers servers, String prefix, ConsistencyLevel level) throws Exception {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> clients = new ArrayList<>();
            for (int c = 0; c < CLIENTS; c++) {
                int number = c;
                AwsServers connected = AwsServers.at(servers.endpoint(), Duration.ofSeconds(2), tasks);
                clients.add(threads.submit(() -> live(connected, prefix, level, number)));
            }
            servers.setMix(MIX);
            for (Future<?> client : clients) {
                client.get();
            }
        }
    }

    /** One handle with several sessions; closed while the faults go on. */
    private Void live(AwsServers servers, String prefix, ConsistencyLevel level, int client) throws Exception {
        long end = tasks.nanoTime() + FAULTS.toNanos();
        try (servers;
                Penstock store = Penstock.open(settings(servers, prefix, level));
                ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> users = new ArrayList<>();
            for (int s = 0; s < SESSIONS; s++) {
                String name = "c" + client + "s" + s;
                int number = client * SESSIONS + s;
                users.add(threads.submit(() -> use(store, level, name, number, end)));
            }
            for (Future<?> user : users) {
                user.get();
            }
        }
        return null;
    }

    private void use(Penstock store, ConsistencyLevel level, String name, int number, long end) {
        SplittableRandom random = new SplittableRandom(seed * 1009 + number);
        RecordCollection<String, String> records = records(store);
        try (Session session = store.newSession()) {
            for (int round = 0; round < ROUNDS_MIN || tasks.nanoTime() - end < 0; round++) {
                Workload workload = Workload.values()[random.nextInt(Workload.values().length)];
                transact(
                        session,
                        records,
                        level,
                        name,
                        round,
                        workload.next(new Workload.Turn(number, round, KEYS), random));
                tasks.sleep(Duration.ofMillis(random.nextInt(50)));
            }
        }
    }

    private void transact(
            Session session,
            RecordCollection<String, String> records,
            ConsistencyLevel level,
            String name,
            int round,
            Workload.Steps steps) {
        History.Transaction seen;
        beginning.lock();
        try {
            seen = history.begin(name, level, tasks.nanoTime());
        } finally {
            beginning.unlock();
        }
        try (Transaction transaction = session.begin()) {
            for (String key : steps.reads()) {
                seen.reads.add(
                        new History.Read(key, transaction.get(records, key).orElse(null)));
            }
            for (String key : steps.writes()) {
                String value = name + "/" + round + "/" + key;
                transaction.put(records, key, value);
                seen.writes.put(key, value);
            }
            for (String key : steps.deletes()) {
                transaction.delete(records, key);
                seen.writes.put(key, null);
            }
            seen.stamp = transaction.commit();
            seen.outcome = History.Outcome.ACKNOWLEDGED;
        } catch (OutcomeUnknownException e) {
            seen.outcome = History.Outcome.UNKNOWN;
        } catch (StoreException e) {
            seen.outcome = History.Outcome.FAILED;
        } finally {
            seen.endNanos = tasks.nanoTime();
        }
    }

    private String outcomes() {
        return history.transactions().stream()
                .collect(Collectors.groupingBy(transaction -> transaction.outcome, Collectors.counting()))
                .toString();
    }

    private List<String> verify(UnreliableServers servers, String prefix, ConsistencyLevel level) {
        List<String> broken = new ArrayList<>();
        try (AwsServers connected = AwsServers.at(servers.server(), Duration.ofSeconds(10), tasks);
                Penstock store = Penstock.open(settings(connected, prefix, level))) {
            if (!drain(store)) {
                broken.add("the backlog does not drain: " + store.admin().backlog());
            }
            Evidence evidence = evidence(store);
            Promises.of(level)
                    .forEach(promise -> promise.violations(evidence)
                            .forEach(violation -> broken.add(promise.name() + ": " + violation)));
        }
        return broken;
    }

    /** There is one collection; a workload's names of collections are part of its keys. */
    private Evidence evidence(Penstock store) {
        Map<String, String> seen = new TreeMap<>();
        try (Scan<Entry<String, String>> scan = records(store).scan(KeySpan.all())) {
            scan.forEachRemaining(entry -> seen.put(entry.key(), entry.value()));
        }
        return new Evidence(
                Workload.REGISTER,
                history,
                FinalState.of(records(store)),
                seen,
                Evidence.ByIndex.NONE,
                StoreProbe.faults(store),
                new ArrayList<>(),
                new ArrayList<>(),
                Order.UNSEEN,
                Evidence.Space.NONE);
    }

    /**
     * Drains the store. Clients that could not sign off must be taken for dead first, and their received messages must
     * become visible again.
     */
    private boolean drain(Penstock store) {
        int empty = 0;
        for (int round = 0; round < 60 && empty < 3; round++) {
            store.admin().recover();
            store.admin().checkpoint();
            // Three empty looks in a row, over a longer time than it takes to be dead: a queue reports its depth
            // approximately.
            empty = store.admin().backlog().total() == 0 ? empty + 1 : 0;
            tasks.sleep(DEAD_AFTER.dividedBy(2));
        }
        return empty == 3;
    }
}
