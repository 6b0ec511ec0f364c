package io.penstock.bench.storage;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.bench.program.Benchmark;
import io.penstock.bench.program.Rows;
import io.penstock.bench.tpcw.run.CloudOptions;
import io.penstock.bench.tpcw.run.CostModel;
import io.penstock.bench.tpcw.run.Latencies;
import io.penstock.bench.tpcw.run.Machine;
import io.penstock.bench.tpcw.run.Usage;
import io.penstock.bench.tpcw.run.Venue;
import io.penstock.cli.program.UsageException;
import io.penstock.core.task.Task;
import io.penstock.testkit.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program of {@code scripts/bench storage}. Virtual figures, without CPU, are the same each time. */
@Command(
        name = "bench storage",
        description = "Measures the workloads of YCSB and SlateDB, and what nano does with files, with latencies,"
                + " requests, dollars (of AWS, whatever the cloud) and CPU.",
        sortOptions = false)
public final class StorageBench extends Benchmark {
    private static final Profile PROFILE = Profile.AWS_2026;
    private static final CostModel PRICES = new CostModel(PROFILE.prices());
    private static final long SEED = 1;
    private static final double MILLION = 1e6;
    private static final double MILLIS = 1e3;
    private static final Duration IDLE = Duration.ofMinutes(1);

    private static final List<ConsistencyLevel> LEVELS = Stream.of(ConsistencyLevel.values())
            .filter(level -> level.compareTo(ConsistencyLevel.ATOMIC) >= 0)
            .toList();

    private static final List<Integer> YCSB_THREADS = List.of(1, 16, 64);
    private static final List<Integer> NANO_CLIENTS = List.of(1, 2, 4, 8, 16);
    private static final int SLATEDB_THREADS = 64;

    /** The tables to measure. */
    private enum Suite {
        YCSB,
        SLATEDB,
        NANO
    }

    @Mixin
    private CloudOptions cloud = new CloudOptions();

    @Option(names = "--suites", split = ",", description = "${COMPLETION-CANDIDATES}; default: all")
    private List<Suite> suites = List.of(Suite.values());

    @Option(names = "--records", paramLabel = "N", description = "records of a table; default: ${DEFAULT-VALUE}")
    private int records = 20_000;

    @Option(names = "--operations", paramLabel = "N", description = "of each row; default: ${DEFAULT-VALUE}")
    private int operations = 2_000;

    private int machines;
    private final Rows rows = new Rows()
            .column("suite", "suite", "%s")
            .column("workload", "workload", "%s")
            .column("store", "store", "%s")
            .column("clients", "clients", "%d")
            .column("state", "state", "%s")
            .column("operations", "operations", "%,d")
            .column("failed", "failed", "%,d")
            .column("perSecond", "per second", "%,.1f")
            .column("p50Millis", "p50 ms", "%,.2f")
            .column("p99Millis", "p99 ms", "%,.2f")
            .column("requests", "requests", "%,d")
            .column("dollars", "$", "%.6f")
            .column("dollarsPerMillion", "$ a million", "%,.2f")
            .column("cpuMicros", "CPU us", "%,.0f");

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(new StorageBench(), arguments);
    }

    @Override
    protected void check() {
        UsageException.requireRange("--records", records, 100, 10_000_000);
        UsageException.requireRange("--operations", operations, SLATEDB_THREADS, 100_000_000);
        cloud.check();
    }

    @Override
    protected Object report() {
        return rows;
    }

    @Override
    protected String table() {
        return rows.toString();
    }

    @Override
    protected void measure() {
        cloud.use("storage", PROFILE, this::measure);
    }

    private void measure(Venue venue) {
        if (suites.contains(Suite.YCSB)) {
            for (ConsistencyLevel level : LEVELS) {
                visit(venue, "y-" + level, site -> ycsb(site, level));
            }
        }
        if (suites.contains(Suite.SLATEDB)) {
            visit(venue, "slatedb", this::slateDb);
        }
        if (suites.contains(Suite.NANO)) {
            visit(venue, "nano", this::nano);
        }
    }

    private void visit(Venue venue, String name, Consumer<Venue.Site> work) {
        boolean unused = venue.visit(name.toLowerCase(Locale.ROOT), site -> {
            work.accept(site);
            return true;
        });
    }

    private void ycsb(Venue.Site site, ConsistencyLevel level) {
        RecordUsers users = new RecordUsers("usertable", records, 10, 100, 100);
        fill(site, level, users::fill);
        for (Workload workload : Workload.YCSB) {
            for (int threads : YCSB_THREADS) {
                coldAndWarm(site, Suite.YCSB, workload, level, threads, users);
            }
        }
    }

    private void slateDb(Venue.Site site) {
        ConsistencyLevel level = ConsistencyLevel.SERIALIZABLE;
        RecordUsers users = new RecordUsers("records", records, 1, 400, 10);
        fill(site, level, users::fill);
        for (Workload workload : Workload.SLATEDB) {
            RecordUsers of = workload == Workload.INGEST ? users.empty("ingested") : users;
            coldAndWarm(site, Suite.SLATEDB, workload, level, SLATEDB_THREADS, of);
        }
    }

    private void fill(Venue.Site site, ConsistencyLevel level, Consumer<Penstock> by) {
        try (Penstock store = Penstock.open(machine(site).settings().level(level))) {
            by.accept(store);
            store.admin().checkpoint();
        }
    }

    private Machine machine(Venue.Site site) {
        return site.machine("m" + machines++);
    }

    /** Measures a client that has read nothing, and then again. */
    private void coldAndWarm(
            Venue.Site site, Suite suite, Workload workload, ConsistencyLevel level, int threads, RecordUsers users) {
        Machine machine = machine(site);
        MeterRegistry meters = new SimpleMeterRegistry();
        Settings settings = machine.settings().level(level).meters(meters);
        try (Penstock store = Penstock.open(settings)) {
            var unused = store.collections();
            PenstockDb db = new PenstockDb(store);
            for (String state : workload == Workload.IDLE ? List.of("idle") : List.of("cold", "warm")) {
                Spot spot = new Spot(suite, workload.name(), level.name(), threads, state);
                Usage before = usage(meters);
                Counted counted = new Counted(machine);
                if (workload == Workload.IDLE) {
                    machine.tasks().sleep(IDLE);
                } else {
                    counted.run(
                            threads,
                            operations / threads,
                            (thread, number, random) -> users.operate(store, db, workload, random));
                    store.admin().checkpoint();
                }
                add(spot, counted, usage(meters).minus(before));
            }
        }
    }

    private void nano(Venue.Site site) {
        Machine first = machine(site);
        try (Penstock store = Penstock.open(first.settings())) {
            Regions.fill(store, first.objects());
            for (int client = 0; client < NANO_CLIENTS.getLast(); client++) {
                Regions.APPEND.begin(client, store, first.objects());
            }
            store.admin().checkpoint();
        }
        for (Regions operation : Regions.values()) {
            for (int clients : NANO_CLIENTS) {
                payloads(site, operation, clients);
                Counted counted = new Counted(machine(site));
                int times = Math.min(operation.times(), operations);
                counted.run(
                        clients,
                        times,
                        (client, number, random) ->
                                operation.operate(counted.machine.objects(), client, number, random));
                Usage each = operation.bare();
                Usage usage = Usage.NONE;
                for (long i = 0; i < (long) clients * times; i++) {
                    usage = usage.plus(each);
                }
                add(new Spot(Suite.NANO, operation.label(), "bare objects", clients, ""), counted, usage);
            }
        }
    }

    /** Measures clients that are machines of their own, on payloads. */
    private void payloads(Venue.Site site, Regions operation, int clients) {
        MeterRegistry meters = new SimpleMeterRegistry();
        List<Penstock> stores = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
            stores.add(Penstock.open(machine(site).settings().meters(meters)));
        }
        Usage before = usage(meters);
        Counted counted = new Counted(machine(site));
        counted.run(
                clients,
                Math.min(operation.times(), operations),
                (client, number, random) -> operation.operate(stores.get(client), client, number, random));
        stores.forEach(store -> store.admin().checkpoint());
        add(
                new Spot(Suite.NANO, operation.label(), "payloads", clients, ""),
                counted,
                usage(meters).minus(before));
        stores.forEach(Penstock::close);
    }

    private static Usage usage(MeterRegistry meters) {
        return Usage.read(meters, Usage.TRANSACTION).plus(Usage.read(meters, Usage.CHECKPOINT));
    }

    /** The place of a row. */
    private record Spot(Suite suite, String workload, String store, int clients, String state) {}

    private void add(Spot spot, Counted counted, Usage usage) {
        Duration cpu = counted.cpu();
        Latencies latencies = Latencies.of(counted.nanos);
        int done = counted.nanos.size();
        double dollars = PRICES.dollars(usage);
        rows.add(
                spot.suite.name().toLowerCase(Locale.ROOT),
                spot.workload,
                spot.store,
                spot.clients,
                spot.state,
                done,
                counted.failed,
                Rows.rounded(counted.seconds == 0 ? 0 : done / counted.seconds, 10),
                Rows.rounded(latencies.p50() * MILLIS, 100),
                Rows.rounded(latencies.p99() * MILLIS, 100),
                usage.requests().values().stream().mapToLong(Long::longValue).sum(),
                Rows.rounded(dollars, MILLION),
                Rows.rounded(done == 0 ? 0 : dollars / done * MILLION, 100),
                Rows.rounded(done == 0 ? 0 : cpu.toNanos() / MILLIS / done, 1));
        progress.advance(1);
    }

    /** One operation of one of several threads. */
    @FunctionalInterface
    private interface Operation {
        /** Returns whether it succeeded. */
        boolean operate(int thread, int number, RandomGenerator random);
    }

    /** The times of operations. For one thread. */
    private static final class Counted {
        private final Machine machine;
        private final Duration cpuBefore = now();
        private final List<Long> nanos = new ArrayList<>();
        private double seconds;
        private int failed;

        Counted(Machine machine) {
            this.machine = machine;
        }

        private static Duration now() {
            return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        }

        /** The CPU time since it was made; that of a simulated cloud is a part of it. */
        Duration cpu() {
            return now().minus(cpuBefore);
        }

        void run(int threads, int times, Operation operation) {
            record Done(List<Long> nanos, int failed) {}
            long begun = machine.tasks().nanoTime();
            List<Task<Done>> running = new ArrayList<>();
            for (int number = 0; number < threads; number++) {
                int thread = number;
                RandomGenerator random = new SplittableRandom(SEED + thread);
                running.add(machine.tasks().fork("user", () -> {
                    List<Long> took = new ArrayList<>();
                    int bad = 0;
                    for (int i = 0; i < times; i++) {
                        long from = machine.tasks().nanoTime();
                        bad += operation.operate(thread, i, random) ? 0 : 1;
                        took.add(machine.tasks().nanoTime() - from);
                    }
                    return new Done(took, bad);
                }));
            }
            for (Task<Done> task : running) {
                Done done = task.join();
                nanos.addAll(done.nanos);
                failed += done.failed;
            }
            seconds = (machine.tasks().nanoTime() - begun) / 1e9;
        }
    }
}
