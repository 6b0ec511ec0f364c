package io.penstock.bench.experiment.collections;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.ConsistencyLevel;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.bench.program.Figure;
import io.penstock.bench.program.JsonOption;
import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Program;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.sim.Profile;
import io.penstock.core.sim.SimulatedClient;
import io.penstock.core.sim.SimulatedCloud;
import io.penstock.core.sim.Simulation;
import io.penstock.core.sim.World;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program behind {@code scripts/bench collections}. Virtual time, except for the CPU time. */
@Command(
        name = "bench collections",
        description = "Measures what a store of very many collections costs a client that knows none of them, in the"
                + " simulated cloud (aws-2026): an open, the first tree that it meets, a batch for many trees."
                + " Exit code 1 when a limit is missed.",
        sortOptions = false)
public final class CollectionsBench extends Program {
    private static final long SEED = 1;
    private static final int COLLECTIONS_MAX = 1_000_000;
    private static final int BATCH = 100;
    private static final double NANOS_PER_SECOND = 1e9;

    private static final double OPEN_REQUESTS_MAX = 12;
    private static final double TREE_REQUESTS_MAX = 20;

    @Option(names = "--collections", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int collections = 100_000;

    @Mixin
    private JsonOption json = new JsonOption();

    private final List<Figure> figures = new ArrayList<>();
    private final Simulation simulation = new Simulation(SEED);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
    private int machines;

    CollectionsBench(PrintStream out, PrintStream err) {
        super(out, err);
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(CollectionsBench::new, arguments);
    }

    @Override
    public Integer call() {
        UsageException.requireRange("--collections", collections, BATCH + 1, COLLECTIONS_MAX);
        JsonTarget target = json.target();
        simulation.run(() -> {
            define();
            write(1);
            measured("open", OPEN_REQUESTS_MAX, store -> {});
            measured(
                    "open, first tree",
                    TREE_REQUESTS_MAX,
                    store -> store.admin().checkpoint());
            forgetNames();
            write(1);
            measured(
                    "open, first tree without names",
                    null,
                    store -> store.admin().checkpoint());
            write(1);
            measured(
                    "open, first tree, names completed",
                    TREE_REQUESTS_MAX,
                    store -> store.admin().checkpoint());
            write(BATCH);
            measured(
                    "open, batch for " + BATCH + " trees",
                    BATCH * TREE_REQUESTS_MAX,
                    store -> store.admin().checkpoint());
            measured("open, names of all", null, Penstock::collections);
            measured("open, verify", null, store -> store.admin().verify());
            measured("open, stats", null, store -> store.admin().inspect().stats());
            measured("open, gc", null, store -> store.admin().removeGarbage(Duration.ofHours(1)));
            return true;
        });
        target.write(figures, Figure.table(figures), out);
        return figures.stream().allMatch(Figure::isMet) ? Shell.DONE : failed("a limit is missed");
    }

    private SimulatedClient machine() {
        return simulation.client("m" + machines++);
    }

    private Settings settings() {
        SimulatedClient machine = machine();
        return Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                .level(ConsistencyLevel.ATOMIC)
                .sweeping(false);
    }

    private static RecordCollection<Long, Bytes> collection(Penstock store, int number) {
        return store.collection("c" + number, Keys.longs(), PayloadCodec.bytes());
    }

    /** A collection is defined by its first use. */
    private void define() {
        try (Penstock store = Penstock.open(settings())) {
            for (int i = 0; i < collections; i++) {
                collection(store, i).get(0L);
            }
        }
    }

    /** Commits a record to each of so many collections, and leaves it to others to apply. */
    private void write(int count) {
        Settings settings = settings().level(ConsistencyLevel.MONOTONIC).checkpointing(false);
        try (Penstock store = Penstock.open(settings)) {
            store.transact(tx -> {
                for (int i = 0; i < count; i++) {
                    tx.put(collection(store, i * (collections / count)), 1L, Bytes.utf8("value"));
                }
                return true;
            });
        }
    }

    private void measured(String name, @Nullable Double requestsMax, Consumer<Penstock> work) {
        MeterRegistry meters = new SimpleMeterRegistry();
        long begun = simulation.nowNanos();
        Duration cpu = cpu();
        try (Penstock store = Penstock.open(settings().meters(meters).checkpointing(false))) {
            work.accept(store);
            figures.add(new Figure(name, requests(meters), requestsMax, "requests"));
            figures.add(Figure.of(name, (simulation.nowNanos() - begun) / NANOS_PER_SECOND, "s, virtual"));
            figures.add(Figure.of(name, cpu().minus(cpu).toMillis(), "ms of CPU"));
        }
    }

    private static double requests(MeterRegistry meters) {
        return meters.find("penstock.requests").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Makes of the store one of before the names of trees. */
    private void forgetNames() {
        ObjectStore objects = cloud.objects(machine());
        ObjectStores.listAll(objects, "penstock/trees/").forEach(entry -> objects.delete(entry.key()));
    }
}
