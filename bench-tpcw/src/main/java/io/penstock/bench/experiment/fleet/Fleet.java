package io.penstock.bench.experiment.fleet;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.ConsistencyLevel;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.bench.tpcw.figures.CostModel;
import io.penstock.bench.tpcw.figures.Requests;
import io.penstock.bench.tpcw.figures.Usage;
import io.penstock.core.Bytes;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A store in the simulated cloud and any number of machines with clients of it, all with the settings of a user. */
final class Fleet {
    private static final long SEED = 1;
    private static final Duration SEEN_EVERY = Duration.ofSeconds(5);
    private static final String DEAD = "dead-";

    private final Simulation simulation = new Simulation(SEED);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
    private int machines;

    private Fleet() {}

    /** Runs {@code work} on a fresh store with one collection, in a simulation of its own. */
    static void run(Consumer<Fleet> work) {
        Fleet fleet = new Fleet();
        fleet.simulation.run(() -> {
            try (Penstock store = Penstock.open(fleet.settings(fleet.machine()))) {
                fleet.put(store, "first");
            }
            work.accept(fleet);
            return true;
        });
    }

    SimulatedClient machine() {
        return simulation.client("m" + machines++);
    }

    Settings settings(SimulatedClient machine) {
        return Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                .level(ConsistencyLevel.ATOMIC);
    }

    RecordCollection<String, Bytes> records(Penstock store) {
        return store.collection("fleet", Keys.string(), PayloadCodec.bytes());
    }

    void put(Penstock store, String key) {
        records(store).put(key, Bytes.utf8("value"));
    }

    void sleep(Duration duration) {
        simulation.client("clock").sleep(duration);
    }

    double seconds() {
        return simulation.nowNanos() / 1e9;
    }

    /** The clients that are registered, or kept on record after their end. */
    long onRecord() {
        return registered() + clients("penstock/retired/");
    }

    /** The clients that are registered, or only the first thousand of them. */
    long registered() {
        return clients("penstock/clients/");
    }

    private long clients(String prefix) {
        return cloud.objects(machine()).list(prefix, "", 1000).entries().stream()
                .filter(entry -> entry.key().substring(prefix.length()).matches("[0-9a-f]{16}"))
                .count();
    }

    /** Waits until a client that only reads sees the commits of so many dead; returns the seconds that took. */
    double awaitSeen(int dead) {
        double start = seconds();
        try (Penstock reader = Penstock.open(settings(machine()).readOnly(true))) {
            while (seen(reader) < dead) {
                sleep(SEEN_EVERY);
            }
        }
        return seconds() - start;
    }

    private long seen(Penstock reader) {
        long seen = 0;
        try (var scan = records(reader).scan(KeySpan.all())) {
            while (scan.hasNext()) {
                seen += scan.next().key().startsWith(DEAD) ? 1 : 0;
            }
        }
        return seen;
    }

    /** A client that commits once and dies. */
    void dieAfterACommit(int number) {
        SimulatedClient machine = machine();
        machine.start("client", () -> {
            Penstock store = Penstock.open(settings(machine).level(ConsistencyLevel.ATOMIC));
            put(store, DEAD + number);
            machine.crash();
        });
    }

    /** Counts the requests of a client from now on. */
    static final class Meter {
        private final MeterRegistry registry = new SimpleMeterRegistry();
        private long requestsBefore;
        private double dollarsBefore;

        MeterRegistry registry() {
            return registry;
        }

        void start() {
            requestsBefore = allRequests();
            dollarsBefore = allDollars();
        }

        double requests() {
            return allRequests() - requestsBefore;
        }

        double dollars() {
            return allDollars() - dollarsBefore;
        }

        private long allRequests() {
            return List.of(Usage.TRANSACTION, Usage.CHECKPOINT).stream()
                    .map(part -> Usage.read(registry, part).requests())
                    .mapToLong(Meter::sum)
                    .sum();
        }

        private static long sum(Requests all) {
            return all.s3Get()
                    + all.s3Put()
                    + all.s3Delete()
                    + all.s3List()
                    + all.sqsSend()
                    + all.sqsReceive()
                    + all.sqsDelete()
                    + all.sqsOther();
        }

        private double allDollars() {
            CostModel prices = new CostModel(Profile.AWS_2026.prices());
            return List.of(Usage.TRANSACTION, Usage.CHECKPOINT).stream()
                    .mapToDouble(part -> prices.dollars(Usage.read(registry, part)))
                    .sum();
        }
    }
}
