package io.penstock.bench.experiment.strict;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.Penstock;
import io.penstock.testkit.SimulatedClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Clients of one store, whose threads do one transaction after the other. Inside a simulation. */
final class Crowd {
    private static final int WARM_UP_PART = 4;
    private static final double NANOS_PER_MILLI = 1e6;

    private final StrictCloud cloud;
    private final List<Double> millis = new ArrayList<>();
    private long[] commits = {};

    Crowd(StrictCloud cloud) {
        this.cloud = cloud;
    }

    /** What the threads of a client do. */
    @FunctionalInterface
    interface Work {
        /** Does one transaction of a thread, counted over all clients. */
        void transact(Penstock store, SimulatedClient machine, int thread);
    }

    /**
     * What was measured.
     *
     * @param perSecond transactions of all clients
     * @param slowest those of the client with the fewest, over the mean
     * @param perSegment those of one put into the log
     */
    record Result(double perSecond, double p50Millis, double p99Millis, double slowest, double perSegment) {}

    /** Measures for so many seconds, after a quarter of them to warm up. */
    Result measure(int clients, int threads, int seconds, Work work) {
        commits = new long[clients];
        for (int client = 0; client < clients; client++) {
            SimulatedClient machine = cloud.machine();
            Penstock store = cloud.open(machine, new SimpleMeterRegistry());
            for (int thread = 0; thread < threads; thread++) {
                int owner = client;
                int number = client * threads + thread;
                machine.start("user", () -> {
                    while (true) {
                        transact(store, machine, owner, number, work);
                    }
                });
            }
        }
        Duration length = Duration.ofSeconds(seconds);
        cloud.sleep(length.dividedBy(WARM_UP_PART));
        millis.clear();
        Arrays.fill(commits, 0);
        long segments = cloud.segments();
        cloud.sleep(length);
        double all = Arrays.stream(commits).sum();
        double fewest = Arrays.stream(commits).min().orElse(0);
        return new Result(
                all / seconds,
                at(millis, 0.5),
                at(millis, 0.99),
                fewest * clients / Math.max(1, all),
                all / Math.max(1, cloud.segments() - segments));
    }

    private void transact(Penstock store, SimulatedClient machine, int client, int thread, Work work) {
        long began = machine.nanoTime();
        work.transact(store, machine, thread);
        millis.add((machine.nanoTime() - began) / NANOS_PER_MILLI);
        commits[client]++;
    }

    /** The value below which so much of the values is. */
    static double at(List<Double> values, double share) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted.length == 0 ? Double.NaN : sorted[(int) (share * (sorted.length - 1))];
    }
}
