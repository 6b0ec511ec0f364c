package io.penstock.bench.experiment;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.ConsistencyLevel;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.bench.tpcw.bookstore.Bookstore;
import io.penstock.bench.tpcw.bookstore.Loader;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Purchase;
import io.penstock.bench.tpcw.bookstore.PurchasePlan;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.testkit.CallWatcher.Step;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Clients of a store at SERIALIZABLE, whose threads do one transaction after the other. Inside a simulation. */
final class Crowd {
    private static final int WARM_UP_PART = 4;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int PAYLOAD_BYTES = 100;

    private final VirtualCloud cloud;

    /** The place of the commit log: the store's cloud, or one of its own. */
    private final SimulatedCloud logs;

    private final List<Double> millis = new ArrayList<>();
    private long[] commits = {};
    private long segments;

    Crowd(VirtualCloud cloud, SimulatedCloud logs) {
        this.cloud = cloud;
        this.logs = logs;
        logs.watch((step, client, call, on, outcome) -> {
            boolean put = step == Step.DONE && call.equals("put") && on.contains("/log/");
            segments += put && !(outcome instanceof ConflictException) ? 1 : 0;
        });
    }

    static RecordCollection<String, Bytes> records(Penstock store) {
        return store.collection("strict", Keys.string(), PayloadCodec.bytes());
    }

    static Bytes payload() {
        return Bytes.wrap(new byte[PAYLOAD_BYTES]);
    }

    private Settings settings(SimulatedClient machine) {
        Settings settings = cloud.settings(machine)
                .level(ConsistencyLevel.SERIALIZABLE)
                .advanced(advanced -> advanced.sweeping(false));
        return logs == cloud.cloud() ? settings : settings.commitLog(logs.objects(machine));
    }

    /** The work of the threads of a client. */
    @FunctionalInterface
    interface Work {
        /** Does one transaction of a thread, counted over all clients. */
        void transact(Penstock store, SimulatedClient machine, int thread);
    }

    /**
     * The figures of a crowd.
     *
     * @param perSecond transactions of all clients
     * @param slowest those of the client with the fewest, over the mean
     * @param perSegment those of one put into the log
     */
    record Result(double perSecond, double p50Millis, double p99Millis, double slowest, double perSegment) {}

    /** Measures for {@code seconds}, after a quarter of them to warm up. */
    Result measure(int clients, int threads, int seconds, Work work) {
        commits = new long[clients];
        for (int client = 0; client < clients; client++) {
            SimulatedClient machine = cloud.machine();
            Penstock store = Penstock.open(settings(machine).meters(new SimpleMeterRegistry()));
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
        long before = segments;
        cloud.sleep(length);
        double all = Arrays.stream(commits).sum();
        double fewest = Arrays.stream(commits).min().orElse(0);
        return new Result(
                all / seconds,
                at(millis, 0.5),
                at(millis, 0.99),
                fewest * clients / Math.max(1, all),
                all / Math.max(1, segments - before));
    }

    private void transact(Penstock store, SimulatedClient machine, int client, int thread, Work work) {
        long began = machine.nanoTime();
        work.transact(store, machine, thread);
        millis.add((machine.nanoTime() - began) / NANOS_PER_MILLI);
        commits[client]++;
    }

    /** Returns the value below which {@code share} of the values are. */
    static double at(List<Double> values, double share) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted.length == 0 ? Double.NaN : sorted[(int) (share * (sorted.length - 1))];
    }

    /** Purchases of skewed items by many clients: the n-th most wanted is drawn with a chance of 1/n^0.99. */
    static final class BuyConfirms {
        private static final long SEED = 1;
        private static final int BROWSERS = 1;
        private static final double SKEW = 0.99;

        private final Population population;
        private final double[] cumulated;
        private final int clients;
        private final Map<Integer, Long> drawn = new HashMap<>();
        private final Map<Penstock, Bookstore> shops = new HashMap<>();

        private BuyConfirms(int items, int clients) {
            this.population = new Population(SEED, new Scale(BROWSERS, items));
            this.clients = clients;
            this.cumulated = new double[items];
            double sum = 0;
            for (int i = 0; i < items; i++) {
                sum += Math.pow(i + 1, -SKEW);
                cumulated[i] = sum;
            }
        }

        /** Measures {@code clients} of one thread each. */
        static Crowd.Result run(int items, int clients, int seconds) {
            BuyConfirms buying = new BuyConfirms(items, clients);
            return VirtualCloud.run(Profile.AWS_2026, cloud -> {
                try (Penstock store = cloud.open(
                        cloud.settings().level(Loader.levelFor(ConsistencyLevel.SERIALIZABLE)), new Meter())) {
                    new Loader(store, Bookstore.open(store), rows -> {}).load(buying.population);
                }
                return new Crowd(cloud, cloud.cloud()).measure(clients, 1, seconds, buying::buy);
            });
        }

        private void buy(Penstock store, SimulatedClient machine, int thread) {
            Bookstore shop = shops.computeIfAbsent(store, Bookstore::open);
            long number = drawn.merge(thread, 1L, Long::sum);
            PurchasePlan plan = plan(PurchasePlan.draw(population, thread, clients, number), machine.random());
            while (true) {
                try {
                    store.transact(tx -> Purchase.make(tx, shop, plan));
                    return;
                } catch (ConflictException tooOften) {
                    // The customer tries again; the time counts.
                }
            }
        }

        private PurchasePlan plan(PurchasePlan uniform, RandomGenerator random) {
            List<Long> items = new ArrayList<>();
            while (items.size() < PurchasePlan.SEARCHED) {
                int found = Arrays.binarySearch(cumulated, random.nextDouble() * cumulated[cumulated.length - 1]);
                long item = (found < 0 ? -found - 1 : found) + 1L;
                if (!items.contains(item)) {
                    items.add(item);
                }
            }
            return new PurchasePlan(
                    uniform.orderId(),
                    uniform.customerId(),
                    items,
                    uniform.quantities(),
                    uniform.shipType(),
                    uniform.comments());
        }
    }
}
