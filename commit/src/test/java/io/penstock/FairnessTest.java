package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.StoreException;
import io.penstock.testkit.CloudCall;
import io.penstock.testkit.LogNormal;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Transactions that many others could keep from the commit log for ever, in virtual time. */
class FairnessTest {
    private static final int CLIENTS = 4;
    private static final int THREADS = 4;
    private static final Duration MEASURED = Duration.ofSeconds(15);

    /** A store as slow as one on S3 beside queues in memory. */
    private static final Profile QUICK_QUEUES = Profile.INSTANT
            .with(new LogNormal(2, 3, 0), CloudCall.GET, CloudCall.RANGE, CloudCall.MISS)
            .with(new LogNormal(45, 60, 0), CloudCall.PUT, CloudCall.PUT_ABSENT, CloudCall.PUT_MATCH);

    private static final String PAYLOAD = "x".repeat(3_000);

    private final Simulation simulation = new Simulation(1);
    private SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
    private int machines;

    private Penstock open(SimulatedClient machine) {
        return Penstock.open(Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                .level(ConsistencyLevel.SERIALIZABLE)
                .callBudget(Duration.ofSeconds(10)));
    }

    private SimulatedClient machine() {
        return simulation.client("m" + machines++);
    }

    private static RecordCollection<String, String> records(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    private interface Work {
        void run(Penstock store, int number);
    }

    /** What one thread after another of all clients has done, once {@link #MEASURED} is over. */
    private long[] crowd(Work work) {
        long[] done = new long[CLIENTS * THREADS];
        for (int client = 0; client < CLIENTS; client++) {
            SimulatedClient machine = machine();
            Penstock store = open(machine);
            for (int thread = 0; thread < THREADS; thread++) {
                int number = client * THREADS + thread;
                machine.start("user", () -> {
                    while (true) {
                        try {
                            work.run(store, number);
                            done[number]++;
                        } catch (StoreException failed) {
                            machine.sleep(Duration.ofMillis(1));
                        }
                    }
                });
            }
        }
        return done;
    }

    private static List<Double> take(SimulatedClient machine, Duration length, Runnable transaction) {
        List<Double> millis = new ArrayList<>();
        long end = machine.nanoTime() + length.toNanos();
        while (machine.nanoTime() < end) {
            long began = machine.nanoTime();
            transaction.run();
            millis.add((machine.nanoTime() - began) / 1e6);
        }
        millis.sort(null);
        return millis;
    }

    private static double p99(List<Double> sorted) {
        return sorted.get((int) Math.ceil(0.99 * (sorted.size() - 1)));
    }

    /** @param work of a transaction that is compared with itself beside small writers */
    private void isNotStarved(TransactionBody<Boolean> work, RecordCollection<String, String> records, Penstock store) {
        SimulatedClient clock = simulation.client("main");
        List<Double> alone = take(clock, MEASURED, () -> store.transact(work));
        long[] small = crowd((other, number) -> records(other).put("small" + number, "v"));
        clock.sleep(Duration.ofSeconds(2));
        List<Double> beside = take(clock, MEASURED, () -> store.transact(work));
        assertThat(p99(beside)).isLessThan(10 * p99(alone));
        assertThat(Arrays.stream(small).min().orElseThrow()).isGreaterThan(15);
    }

    @Test
    void largeTransactionsCommitBesideSmallOnes() {
        simulation.run(() -> {
            Penstock store = open(machine());
            RecordCollection<String, String> records = records(store);
            isNotStarved(
                    transaction -> {
                        IntStream.range(0, 100).forEach(i -> transaction.put(records, "large" + i, PAYLOAD));
                        return true;
                    },
                    records,
                    store);
            return true;
        });
    }

    @Test
    void largestTransactionsCommitBesideSmallOnes() {
        simulation.run(() -> {
            Penstock store = open(machine());
            RecordCollection<String, String> records = records(store);
            isNotStarved(
                    transaction -> {
                        IntStream.range(0, 1_350).forEach(i -> transaction.put(records, "large" + i, PAYLOAD));
                        return true;
                    },
                    records,
                    store);
            return true;
        });
    }

    @Test
    void transactionsThatReadThousandsOfKeysCommitBesideSmallOnes() {
        simulation.run(() -> {
            Penstock store = open(machine());
            RecordCollection<String, String> records = records(store);
            List<String> keys =
                    IntStream.range(0, 3_000).mapToObj(i -> "read-" + i).toList();
            isNotStarved(
                    transaction -> {
                        var unused = transaction.getAll(records, keys);
                        transaction.put(records, "large", PAYLOAD);
                        return true;
                    },
                    records,
                    store);
            return true;
        });
    }

    @Test
    void nobodyIsLeftOutOnAHotKey() {
        hotKey(MEASURED.multipliedBy(3));
    }

    /** Messages take longer than a put: whoever hands in comes too late, unless he is waited for. */
    @Test
    void nobodyIsLeftOutOnAHotKeyOfAFastLog() {
        cloud = new SimulatedCloud(simulation, Profile.EXPRESS_2026, World.CALM);
        hotKey(MEASURED);
    }

    /** Messages arrive at once: the client that puts for all always has some of others, and its own are oldest. */
    @Test
    void whoPutsForAllIsNotLeftOutOnAHotKey() {
        cloud = new SimulatedCloud(simulation, QUICK_QUEUES, World.CALM);
        hotKey(MEASURED.multipliedBy(2));
    }

    private void hotKey(Duration length) {
        simulation.run(() -> {
            Penstock store = open(machine());
            counters(store).put("n", 0L);
            long[] done = crowd((other, number) -> RecordCollection.increment(counters(other), "n", 1));
            simulation.client("main").sleep(Duration.ofSeconds(5));
            Arrays.fill(done, 0);
            simulation.client("main").sleep(length);
            double mean = Arrays.stream(done).average().orElseThrow();
            assertThat((double) Arrays.stream(done).min().orElseThrow()).isGreaterThan(mean / 4);
            return true;
        });
    }

    private static RecordCollection<String, Long> counters(Penstock store) {
        return store.collection("counters", Keys.string(), Json.of(Long.class)).inDomain("main");
    }
}
