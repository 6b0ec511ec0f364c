package io.penstock.bench.experiment;

import io.penstock.ConsistencyLevel;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.bench.program.Benchmark;
import io.penstock.bench.program.Figure;
import io.penstock.bench.program.Quantiles;
import io.penstock.cli.program.UsageException;
import io.penstock.commit.checkpoint.CheckpointPlan;
import io.penstock.commit.checkpoint.Ledger;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.Receipt;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.Task;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program of {@code scripts/bench fleet}. Virtual time: the same figures on every machine, every time. */
@Command(
        name = "bench fleet",
        description = "Measures what many clients of one store cost in the simulated cloud (aws-2026): requests and"
                + " dollars of an open, a close, an idle hour, a recovery; close times of many; the rate at which a"
                + " queue drains. Exit code 1 when a limit is missed.",
        sortOptions = false)
public final class FleetBench extends Benchmark {
    private static final Duration DEAD_WITHIN = Duration.ofDays(28);
    private static final String DEAD = "dead-";
    private static final Duration SEEN_EVERY = Duration.ofSeconds(5);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int HOURS_PER_MONTH = 30 * 24;
    private static final int DEAD_MAX = 100_000;
    private static final int PERCENTILE = 99;
    private static final List<Integer> DRAINED = List.of(5_000, 20_000);
    private static final int LEDGER_IDS = 30_000;
    private static final int PLANNED = 200;

    private static final double OPEN_REQUESTS_MAX = 12;
    private static final double IDLE_DOLLARS_MAX = 0.10;
    private static final double CLOSE_SECONDS_MAX = 10;
    private static final double DRAIN_RATE_MIN = 2_500;
    private static final double RECOVERY_REQUESTS_MAX = 25;
    private static final double SEEN_WITHIN_MAX = 2;
    private static final double DEAD_AFTER = 300; // the default, in seconds
    private static final double PLAN_MILLIS_MAX = 20;

    @Option(names = "--dead", split = ",", description = "clients that died in 28 days; default: ${DEFAULT-VALUE}")
    private List<Integer> dead = List.of(10, 100, 1_000, 10_000);

    @Option(names = "--closing", paramLabel = "N", description = "clients that close together; default: 200")
    private int closing = 200;

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(new FleetBench(), arguments);
    }

    @Override
    protected void check() {
        dead.forEach(count -> UsageException.requireRange("--dead", count, 1, DEAD_MAX));
        UsageException.requireRange("--closing", closing, 1, DEAD_MAX);
    }

    @Override
    protected void measure() {
        onFreshStore(this::idle);
        onFreshStore(this::recovery);
        onFreshStore(this::closeTogether);
        DRAINED.forEach(messages -> onFreshStore(cloud -> drain(cloud, messages)));
        dead.forEach(count -> onFreshStore(cloud -> openBeside(cloud, count)));
        dead.forEach(count -> onFreshStore(cloud -> recoverAll(cloud, count)));
        String name = "plan of " + PLANNED + " messages over a ledger of " + LEDGER_IDS + " ids, CPU";
        add(Figure.atMost(PLAN_MILLIS_MAX, name, new PlanCost(LEDGER_IDS, PLANNED).millis(), "ms"));
    }

    /** Runs {@code work} on a fresh store with one collection, in a simulation of its own. */
    private static void onFreshStore(Consumer<VirtualCloud> work) {
        VirtualCloud.run(Profile.AWS_2026, cloud -> {
            try (Penstock store = Penstock.open(settings(cloud))) {
                put(store, "first");
            }
            work.accept(cloud);
            return true;
        });
    }

    /** Returns the settings of a user, for a machine of its own. */
    private static Settings settings(VirtualCloud cloud) {
        return cloud.settings(cloud.machine());
    }

    private static RecordCollection<String, Bytes> records(Penstock store) {
        return store.collection("fleet", Keys.string(), PayloadCodec.bytes());
    }

    private static void put(Penstock store, String key) {
        records(store).put(key, Bytes.utf8("value"));
    }

    private void cost(String name, Meter meter) {
        add(Figure.of(name, meter.requests(), "requests"));
        add(Figure.of(name, meter.dollars(), "dollars"));
    }

    /** A commit, its end, and a day of doing nothing. */
    private void idle(VirtualCloud cloud) {
        Meter meter = new Meter();
        Penstock store = cloud.open(settings(cloud), meter);
        put(store, "k");
        cloud.sleep(HOUR);
        meter.start();
        cloud.sleep(Duration.ofDays(1));
        add(Figure.of("idle hour", meter.requests() / 24, "requests"));
        add(Figure.atMost(IDLE_DOLLARS_MAX, "idle month", meter.dollars() / 24 * HOURS_PER_MONTH, "dollars"));
        put(store, "k");
        cloud.sleep(Duration.ofSeconds(1));
        meter.start();
        store.close();
        cost("close after a commit", meter);
    }

    private void recovery(VirtualCloud cloud) {
        dieAfterACommit(cloud, 0);
        cloud.sleep(HOUR);
        Meter meter = new Meter();
        try (Penstock store = cloud.open(cloud.settings(), meter)) {
            cloud.sleep(HOUR); // the recovery at open
            store.admin().recover();
            cost("recovery of a dead client", meter);
        }
    }

    /** All dead are recovered by then, and the turn at sweeping is due: the one that opens takes it. */
    private void openBeside(VirtualCloud cloud, int count) {
        Penstock kept = Penstock.open(settings(cloud));
        for (int i = 0; i < count; i++) {
            dieAfterACommit(cloud, i);
            cloud.sleep(DEAD_WITHIN.dividedBy(count));
        }
        cloud.sleep(HOUR);
        kept.close();
        cloud.sleep(HOUR);
        Meter meter = new Meter();
        try (Penstock store = cloud.open(settings(cloud), meter)) {
            records(store).get("dead-0");
            cloud.sleep(Duration.ofMinutes(1));
            String name = "open and read beside " + count + " dead";
            add(Figure.atMost(OPEN_REQUESTS_MAX, name, meter.requests(), "requests"));
            add(Figure.of(name, meter.dollars(), "dollars"));
        }
    }

    /** All die at once, each with a commit that no client has seen, beside one client that lives. */
    private void recoverAll(VirtualCloud cloud, int count) {
        Meter meter = new Meter();
        try (Penstock store = cloud.open(settings(cloud), meter)) {
            cloud.sleep(HOUR);
            meter.start();
            cloud.sleep(HOUR);
            double idle = meter.requests();
            meter.start();
            double died = cloud.seconds();
            for (int i = 0; i < count; i++) {
                dieAfterACommit(cloud, i);
            }
            String name = "recovery of " + count + " that died at once";
            double seen = awaitSeen(cloud, count) / DEAD_AFTER;
            add(Figure.atMost(SEEN_WITHIN_MAX, name + ", all is seen", seen, "times deadAfter"));
            while (registered(cloud) > 1) { // itself
                cloud.sleep(HOUR);
            }
            double work = meter.requests() - idle * (cloud.seconds() - died) / HOUR.toSeconds();
            add(Figure.atMost(RECOVERY_REQUESTS_MAX, name, work / count, "requests per client"));
        }
    }

    private void closeTogether(VirtualCloud cloud) {
        List<SimulatedClient> clients = new ArrayList<>();
        List<Penstock> stores = new ArrayList<>();
        for (int i = 0; i < closing; i++) {
            clients.add(cloud.machine());
            stores.add(Penstock.open(cloud.settings(clients.get(i))));
        }
        atOnce(clients, "commit", i -> put(stores.get(i), "k" + i));
        List<Double> seconds = new ArrayList<>();
        atOnce(clients, "close", i -> {
            double start = cloud.seconds();
            stores.get(i).close();
            seconds.add(cloud.seconds() - start);
        });
        Collections.sort(seconds);
        double p99 = seconds.get((seconds.size() * PERCENTILE - 1) / 100);
        add(Figure.atMost(CLOSE_SECONDS_MAX, "close of " + closing + " together, p99", p99, "s"));
        String left = "of " + closing + " that closed together, left on record";
        add(Figure.atMost(0.0, left, onRecord(cloud), "clients"));
    }

    private static void atOnce(List<SimulatedClient> clients, String name, IntConsumer work) {
        List<Task<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < clients.size(); i++) {
            int number = i;
            all.add(clients.get(i).start(name, () -> work.accept(number)));
        }
        all.forEach(Task::join);
    }

    /** Sends one-record messages, which no client checkpoints before all are there. */
    private void drain(VirtualCloud cloud, int messages) {
        Settings settings = settings(cloud).level(ConsistencyLevel.MONOTONIC).checkpointing(false);
        try (Penstock writer = Penstock.open(settings)) {
            for (int i = 0; i < messages; i++) {
                put(writer, "k" + i);
            }
        }
        try (Penstock store = Penstock.open(cloud.settings())) {
            double start = cloud.seconds();
            long records = store.admin().checkpoint().records();
            double rate = records / (cloud.seconds() - start);
            add(Figure.atLeast(DRAIN_RATE_MIN, "drain of " + messages, rate, "messages/s"));
        }
    }

    /** Returns the clients that are registered, or kept on record after their end. */
    private static long onRecord(VirtualCloud cloud) {
        return registered(cloud) + clients(cloud, "penstock/retired/");
    }

    /** Returns the clients that are registered, or a thousand if there are more. */
    private static long registered(VirtualCloud cloud) {
        return clients(cloud, "penstock/clients/");
    }

    private static long clients(VirtualCloud cloud, String prefix) {
        return cloud.objects().list(prefix, "", 1000).entries().stream()
                .filter(entry -> entry.key().substring(prefix.length()).matches("[0-9a-f]{16}"))
                .count();
    }

    /** Waits until a client that only reads sees the commits of {@code count} dead; returns the seconds that took. */
    private static double awaitSeen(VirtualCloud cloud, int count) {
        double start = cloud.seconds();
        try (Penstock reader = Penstock.open(settings(cloud).readOnly(true))) {
            while (seen(reader) < count) {
                cloud.sleep(SEEN_EVERY);
            }
        }
        return cloud.seconds() - start;
    }

    private static long seen(Penstock reader) {
        long seen = 0;
        try (var scan = records(reader).scan(KeySpan.all())) {
            while (scan.hasNext()) {
                seen += scan.next().key().startsWith(DEAD) ? 1 : 0;
            }
        }
        return seen;
    }

    /** Starts a client that commits once and dies. */
    private static void dieAfterACommit(VirtualCloud cloud, int number) {
        SimulatedClient machine = cloud.machine();
        machine.start("client", () -> {
            Penstock store = Penstock.open(cloud.settings(machine));
            put(store, DEAD + number);
            machine.crash();
        });
    }

    /** The processor time of a checkpoint plan, by the production code's own decision. */
    static final class PlanCost {
        private static final long NUMBERS = 3;
        private static final int RUNS = 200;
        private static final long NOW = 1_000_000;

        private final Ledger before;
        private final List<CheckpointPlan.Received> received;

        /** @param ids in the ledger, one message of each of the first {@code messages} is planned */
        PlanCost(int ids, int messages) {
            Ledger.Draft draft = new Ledger.Draft(Ledger.EMPTY);
            LongStream.rangeClosed(1, ids)
                    .forEach(id -> draft.put(new ClientId(id), new Ledger.Progress(NUMBERS, List.of(), 1)));
            before = draft.build();
            received = LongStream.rangeClosed(1, messages)
                    .mapToObj(id -> message(new ClientId(id)))
                    .toList();
        }

        private static CheckpointPlan.Received message(ClientId client) {
            RecordChange change =
                    new RecordChange.Put(Bytes.utf8(client.hex()), Bytes.EMPTY, Stamp.of(NUMBERS + 1, 0, client));
            PuMessage message = new PuMessage(client, NUMBERS + 1, List.of(new LogRecord(new TreeId(1), change)));
            Delivery delivery = new Delivery(client.hex(), new Receipt(client.hex()), message.encode(), NOW, 1);
            return new CheckpointPlan.Received(delivery, message);
        }

        /** The median of some runs, the first of which are slower than in a program that has run for a while. */
        double millis() {
            return Quantiles.at(Stream.generate(this::runMillis).limit(RUNS).toList(), 0.5);
        }

        private double runMillis() {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            CheckpointPlan plan =
                    CheckpointPlan.of(before, received, Set.of(), new CheckpointPlan.Times(NOW, NOW - 1, NOW - 2));
            long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
            if (plan.done().size() != received.size()) {
                throw new IllegalStateException("not everything is planned");
            }
            return nanos / 1e6;
        }
    }
}
