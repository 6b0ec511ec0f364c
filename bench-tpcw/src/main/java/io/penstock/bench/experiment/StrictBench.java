package io.penstock.bench.experiment;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.ConsistencyLevel;
import io.penstock.Keys;
import io.penstock.Layout;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.bench.program.Benchmark;
import io.penstock.bench.program.Figure;
import io.penstock.bench.program.Progress;
import io.penstock.bench.program.Quantiles;
import io.penstock.bench.program.Zipf;
import io.penstock.bench.tpcw.bookstore.Bookstore;
import io.penstock.bench.tpcw.bookstore.Loader;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Purchase;
import io.penstock.bench.tpcw.bookstore.PurchasePlan;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.bench.tpcw.run.CostModel;
import io.penstock.bench.tpcw.run.LevelResult;
import io.penstock.bench.tpcw.run.Profiles;
import io.penstock.bench.tpcw.run.Run;
import io.penstock.bench.tpcw.run.RunPlan;
import io.penstock.bench.tpcw.run.SimulatedVenue;
import io.penstock.bench.tpcw.run.Tuning;
import io.penstock.cli.program.UsageException;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
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
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program of {@code scripts/bench strict}. Virtual time: the same figures on every machine, every time. */
@Command(
        name = "bench strict",
        description =
                "Measures what isolation costs in the simulated cloud: commits alone and among many clients, reads,"
                        + " skewed purchases, dollars. Exit code 1 when a limit is missed.",
        sortOptions = false)
public final class StrictBench extends Benchmark {
    private static final double COMMIT_RATIO_MAX = 1.10;
    private static final double GROUP_MIN = 32;
    private static final double TOTAL_SHARE_MIN = 0.7;
    private static final double P99_PUTS_MAX = 6;
    private static final double SLOWEST_MIN = 0.5;
    private static final double STARVED_BELOW = 0.1;
    private static final double GOODPUT_SHARE_MIN = 0.5;
    private static final double DOLLARS_RATIO_MAX = 2.5;

    /** The number of threads of one client, and of all clients together in the rows that are compared with it. */
    private static final int THREADS = 64;

    /** So many threads commit more than a domain can with {@link #THREADS}, each of which waits for a put. */
    private static final int WIDE = 256;

    /** The least commits a second of {@link #WIDE} threads. */
    private static final double WIDE_MIN = 2_000;

    /** The least share of what as many domains apart would commit. */
    private static final double LINEAR_MIN = 0.90;

    private static final int THREADS_EACH = 4;
    private static final int MANY = 64;
    private static final Duration STALENESS = Duration.ofMinutes(1);
    private static final long SEED = 1;
    /** The most of a commit whose log is on S3 Express One Zone, in milliseconds. */
    private static final double APART_MILLIS_MAX = 10;

    private static final int SECONDS_MAX = 3_600;

    /** The bytes that a segment of one small transaction has, about. */
    private static final int SEGMENT_BYTES = 250;

    @Option(
            names = "--profile",
            paramLabel = "P",
            converter = Profiles.class,
            description = "the cloud: a name, or a file of scripts/bench calibrate; default: aws-2026")
    private Profile today = Profile.AWS_2026;

    @Option(
            names = "--express",
            paramLabel = "P",
            converter = Profiles.class,
            description = "a cloud with quicker objects, also for a log kept apart; default: express-2026")
    private Profile express = Profile.EXPRESS_2026;

    @Option(names = "--seconds", paramLabel = "N", description = "virtual seconds of each run; default: 40")
    private int seconds = 40;

    @Option(names = "--buyers", split = ",", description = "clients that buy skewed items; default: ${DEFAULT-VALUE}")
    private List<Integer> buyers = List.of(4, 16, 32, 64);

    @Option(names = "--items", paramLabel = "N", description = "items of the bookstore; default: 10000")
    private int items = 10_000;

    @Option(names = "--transactions", paramLabel = "N", description = "purchases to be paid for; default: 300")
    private int transactions = 300;

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(new StrictBench(), arguments);
    }

    @Override
    protected void check() {
        UsageException.requireRange("--seconds", seconds, 1, SECONDS_MAX);
        UsageException.requireRange("--items", items, Scale.ITEMS_MIN, Scale.ITEMS_MAX);
        UsageException.requireRange("--transactions", transactions, 1, 1_000_000);
        buyers.forEach(count -> UsageException.requireRange("--buyers", count, 1, 1_000));
    }

    @Override
    protected void measure() {
        alone(today);
        alone(express);
        apart();
        together();
        withoutQueues();
        reads();
        skewed();
        dollars();
    }

    /** Commits of one thread, beside bare puts. */
    private void alone(Profile profile) {
        double commit = disjoint(profile, 1, 1).p50Millis();
        add(Figure.atMost(COMMIT_RATIO_MAX, "commit without rivals, p50, " + profile.name(), commit, "ms")
                .over(putMillis(profile)));
    }

    /** Commits of one thread, with a log that is quick and pages that are cheap. */
    private void apart() {
        double commit = disjoint(today, express, true, 1, 1).p50Millis();
        Double max = express.equals(Profile.EXPRESS_2026) ? APART_MILLIS_MAX : null;
        add(Figure.atMost(
                max, "commit, log on " + express.name() + ", pages on " + today.name() + ", p50", commit, "ms"));
    }

    private double putMillis(Profile profile) {
        return VirtualCloud.run(profile, cloud -> {
            SimulatedClient machine = cloud.machine();
            ObjectStore objects = cloud.cloud().objects(machine);
            Bytes body = Bytes.wrap(new byte[SEGMENT_BYTES]);
            List<Double> millis = new ArrayList<>();
            long end = machine.nanoTime() + Duration.ofSeconds(seconds).toNanos();
            while (machine.nanoTime() < end) {
                long began = machine.nanoTime();
                var unused = objects.put("put/" + millis.size(), body, WriteCondition.IF_ABSENT);
                millis.add((machine.nanoTime() - began) / 1e6);
            }
            return Quantiles.at(millis, 0.5);
        });
    }

    /** Commits of records that no other thread writes. */
    private Crowd.Result disjoint(Profile profile, int clients, int threads) {
        return disjoint(profile, profile, true, clients, threads);
    }

    private Crowd.Result disjoint(Profile pages, Profile log, boolean queued, int clients, int threads) {
        return VirtualCloud.run(pages, cloud -> {
            Crowd crowd = new Crowd(cloud, log == pages ? cloud.cloud() : cloud.cloud(log), queued);
            return crowd.measure(
                    clients,
                    threads,
                    seconds,
                    (store, machine, thread) -> Crowd.records(store).put("k" + thread, Crowd.payload()));
        });
    }

    /** Commits a second of one client, each thread in a domain of its own. */
    private double domains(int count) {
        return VirtualCloud.run(
                today,
                cloud -> new Crowd(cloud, cloud.cloud(), true)
                        .measure(
                                1,
                                count,
                                seconds,
                                (store, machine, thread) -> store.collection(
                                                "strict" + thread, Keys.string(), PayloadCodec.bytes())
                                        .inDomain("domain-" + thread)
                                        .put("k", Crowd.payload()))
                        .perSecond());
    }

    private void together() {
        Crowd.Result one = disjoint(today, 1, THREADS);
        add(Figure.atLeast(GROUP_MIN, "1 client x 64 threads", one.perSegment(), "commits/put"));
        Crowd.Result some = disjoint(today, THREADS / THREADS_EACH, THREADS_EACH);
        String name = "16 clients x 4 threads";
        add(Figure.atLeast(TOTAL_SHARE_MIN, name + ", over 1 x 64", some.perSecond(), "commits/s")
                .over(one.perSecond()));
        add(Figure.atLeast(
                WIDE_MIN, "1 client x 256 threads", disjoint(today, 1, WIDE).perSecond(), "commits/s"));
        add(Figure.atLeast(LINEAR_MIN, "256 domains, a thread each, over 256 times one", domains(WIDE), "commits/s")
                .over(WIDE * domains(1)));
        double put = putMillis(today);
        add(Figure.of(name + ", p50", some.p50Millis(), "ms").over(put));
        add(Figure.atMost(P99_PUTS_MAX, name + ", p99 over a put", some.p99Millis(), "ms")
                .over(put));
        add(Figure.atLeast(SLOWEST_MIN, name + ", slowest client over the mean", some.slowest(), "share"));
        Crowd.Result many = disjoint(today, MANY, THREADS_EACH);
        add(Figure.of("64 clients x 4 threads", many.perSecond(), "commits/s"));
        add(Figure.of("64 clients x 4 threads, p99", many.p99Millis(), "ms").over(put));
        add(Figure.atLeast(
                STARVED_BELOW, "64 clients x 4 threads, slowest client over the mean", many.slowest(), "share"));
    }

    /** Stores in a bucket alone, over stores with queues. */
    private void withoutQueues() {
        for (Profile profile : List.of(today, express)) {
            compare(profile, 1, 1);
            compare(profile, 10, 1);
            compare(profile, THREADS / THREADS_EACH, THREADS_EACH);
        }
        compare(today, MANY, THREADS_EACH);
        VirtualCloud.run(today, cloud -> {
            Crowd.records(Penstock.open(cloud.bucket(cloud.machine()))).put("k", Crowd.payload());
            cloud.sleep(Duration.ofMinutes(1));
            Meter meter = new Meter();
            Penstock store = cloud.open(cloud.bucket(cloud.machine()), meter);
            require(Crowd.records(store).get("k").isPresent());
            add(Figure.of("without queues: open and first read", meter.requests(), "requests"));
            meter.start();
            cloud.sleep(Duration.ofDays(1));
            add(Figure.atMost(0.0, "without queues: an idle handle, a day", meter.requests(), "requests"));
            return true;
        });
    }

    private void compare(Profile profile, int clients, int threads) {
        Crowd.Result queues = disjoint(profile, clients, threads);
        Crowd.Result none = disjoint(profile, profile, false, clients, threads);
        String name = "without queues, " + profile.name() + ", " + clients + " x " + threads;
        add(Figure.of(name, none.perSecond(), "commits/s").over(queues.perSecond()));
        add(Figure.of(name + ", p50", none.p50Millis(), "ms").over(queues.p50Millis()));
        add(Figure.atLeast(STARVED_BELOW, name + ", slowest client over the mean", none.slowest(), "share"));
    }

    /** Requests of read-only transactions on pages in memory. */
    private void reads() {
        add(Figure.atMost(1.0, "read-only transaction, pooled pages", gets(Duration.ZERO, true), "requests"));
        add(Figure.atMost(
                0.0, "read-only transaction, pooled pages, staleness allowed", gets(STALENESS, true), "requests"));
        add(Figure.atMost(0.0, "read of a key in the tail, staleness allowed", gets(STALENESS, false), "requests"));
    }

    /** The requests of a read-only transaction of a record on a page, or in the tail only. */
    private double gets(Duration staleness, boolean onPage) {
        return VirtualCloud.run(today, cloud -> {
            Meter meter = new Meter();
            Settings settings = cloud.settings()
                    .level(ConsistencyLevel.SERIALIZABLE)
                    .checkpointing(false)
                    .staleness(staleness);
            try (Penstock store = cloud.open(settings, meter)) {
                RecordCollection<String, Bytes> records = Crowd.records(store);
                records.put("k", Crowd.payload());
                if (onPage) {
                    var unused = store.admin().checkpoint();
                    require(store.read(tx -> tx.get(records, "k")).isPresent());
                }
                meter.start();
                require(store.read(tx -> tx.get(records, "k")).isPresent());
                return meter.requests();
            }
        });
    }

    private static void require(boolean found) {
        if (!found) {
            throw new IllegalStateException("a record that was committed is not seen");
        }
    }

    /** Goodput of purchases of wanted items, by the number of clients. */
    private void skewed() {
        double peak = 0;
        double lowestAfter = 1;
        for (int clients : buyers) {
            double goodput =
                    Crowd.BuyConfirms.run(today, items, clients, seconds).perSecond();
            add(Figure.of("buy-confirm, Zipf 0.99, " + clients + " clients", goodput, "commits/s"));
            peak = Math.max(peak, goodput);
            lowestAfter = Math.min(lowestAfter, goodput / peak);
        }
        add(Figure.atLeast(GOODPUT_SHARE_MIN, "buy-confirm, least goodput over the peak before", lowestAfter, "share"));
    }

    private void dollars() {
        RunPlan.Buying load = new RunPlan.Buying(new Scale(1, items), transactions, THREADS_EACH, Duration.ZERO);
        List<RunPlan> plans = Stream.of(
                        ConsistencyLevel.ATOMIC, ConsistencyLevel.SNAPSHOT, ConsistencyLevel.SERIALIZABLE)
                .map(level -> new RunPlan(
                        today.name(), today.prices(), Layout.partitioned(1), level, load, Tuning.TODAY, SEED))
                .toList();
        List<LevelResult> results = Run.compare(plans, new SimulatedVenue(today, SEED), Progress.NONE);
        CostModel prices = new CostModel(today.prices());
        double atomic = results.getFirst().costPer1000(prices).total();
        for (LevelResult result : results.subList(1, results.size())) {
            double dollars = result.costPer1000(prices).total();
            add(Figure.atMost(DOLLARS_RATIO_MAX, "TPC-W at " + result.level() + ", over ATOMIC", dollars, "$ for 1000")
                    .over(atomic));
        }
    }

    /** Clients of a store at SERIALIZABLE, whose threads do one transaction after the other. Inside a simulation. */
    static final class Crowd {
        private static final int WARM_UP_PART = 4;
        private static final double NANOS_PER_MILLI = 1e6;
        private static final int PAYLOAD_BYTES = 100;

        private final VirtualCloud cloud;

        /** The place of the commit log: the store's cloud, or one of its own. */
        private final SimulatedCloud logs;

        private final boolean queued;
        private final List<Double> millis = new ArrayList<>();
        private long[] commits = {};
        private long segments;

        /** @param queued whether the store has queues */
        Crowd(VirtualCloud cloud, SimulatedCloud logs, boolean queued) {
            this.queued = queued;
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
            Settings settings = (queued ? cloud.settings(machine) : cloud.bucket(machine))
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
                    Quantiles.at(millis, 0.5),
                    Quantiles.at(millis, 0.99),
                    fewest * clients / Math.max(1, all),
                    all / Math.max(1, segments - before));
        }

        private void transact(Penstock store, SimulatedClient machine, int client, int thread, Work work) {
            long began = machine.nanoTime();
            work.transact(store, machine, thread);
            millis.add((machine.nanoTime() - began) / NANOS_PER_MILLI);
            commits[client]++;
        }

        /** Purchases of skewed items by many clients. */
        static final class BuyConfirms {
            private static final long SEED = 1;
            private static final int BROWSERS = 1;

            private final Population population;
            private final Zipf wanted;
            private final int clients;
            private final Map<Integer, Long> drawn = new HashMap<>();
            private final Map<Penstock, Bookstore> shops = new HashMap<>();

            private BuyConfirms(int items, int clients) {
                this.population = new Population(SEED, new Scale(BROWSERS, items));
                this.clients = clients;
                this.wanted = new Zipf(items);
            }

            /** Measures {@code clients} of one thread each. */
            static Crowd.Result run(Profile profile, int items, int clients, int seconds) {
                BuyConfirms buying = new BuyConfirms(items, clients);
                return VirtualCloud.run(profile, cloud -> {
                    try (Penstock store = cloud.open(
                            cloud.settings().level(Loader.levelFor(ConsistencyLevel.SERIALIZABLE)), new Meter())) {
                        new Loader(store, Bookstore.open(store), rows -> {}).load(buying.population);
                    }
                    return new Crowd(cloud, cloud.cloud(), true).measure(clients, 1, seconds, buying::buy);
                });
            }

            private void buy(Penstock store, SimulatedClient machine, int thread) {
                Bookstore shop = shops.computeIfAbsent(store, Bookstore::open);
                long number = drawn.merge(thread, 1L, Long::sum);
                PurchasePlan plan = PurchasePlan.draw(population, thread, clients, number)
                        .with(PurchasePlan.different(() -> wanted.draw(machine.random()) + 1L));
                while (true) {
                    try {
                        store.transact(tx -> Purchase.make(tx, shop, plan));
                        return;
                    } catch (ConflictException tooOften) {
                        // The customer tries again; the time counts.
                    }
                }
            }
        }
    }
}
