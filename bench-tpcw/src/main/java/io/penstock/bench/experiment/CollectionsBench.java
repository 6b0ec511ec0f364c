package io.penstock.bench.experiment;

import io.penstock.ConsistencyLevel;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.bench.program.Benchmark;
import io.penstock.bench.program.Figure;
import io.penstock.cli.program.UsageException;
import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.testkit.Profile;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program of {@code scripts/bench collections}. Virtual time, except for the CPU time. */
@Command(
        name = "bench collections",
        description = "Measures what a store of very many collections costs a client that knows none of them, in the"
                + " simulated cloud (aws-2026): an open, the first tree that it meets, a batch for many trees."
                + " Exit code 1 when a limit is missed.",
        sortOptions = false)
public final class CollectionsBench extends Benchmark {
    private static final int COLLECTIONS_MAX = 1_000_000;
    private static final int BATCH = 100;
    private static final double NANOS_PER_SECOND = 1e9;

    private static final double OPEN_REQUESTS_MAX = 12;
    private static final double TREE_REQUESTS_MAX = 20;

    @Option(names = "--collections", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int collections = 100_000;

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(new CollectionsBench(), arguments);
    }

    @Override
    protected void check() {
        UsageException.requireRange("--collections", collections, BATCH + 1, COLLECTIONS_MAX);
    }

    @Override
    protected void measure() {
        VirtualCloud.run(Profile.AWS_2026, cloud -> {
            define(cloud);
            write(cloud, 1);
            measure(cloud, "open", OPEN_REQUESTS_MAX, store -> {});
            measure(cloud, "open, first tree", TREE_REQUESTS_MAX, CollectionsBench::checkpoint);
            forgetNames(cloud);
            write(cloud, 1);
            measure(cloud, "open, first tree without names", null, CollectionsBench::checkpoint);
            write(cloud, 1);
            measure(cloud, "open, first tree, names completed", TREE_REQUESTS_MAX, CollectionsBench::checkpoint);
            write(cloud, BATCH);
            measure(
                    cloud,
                    "open, batch for " + BATCH + " trees",
                    BATCH * TREE_REQUESTS_MAX,
                    CollectionsBench::checkpoint);
            measure(cloud, "open, names of all", null, Penstock::collections);
            measure(cloud, "open, verify", null, store -> store.admin().verify());
            measure(cloud, "open, stats", null, store -> store.admin().inspect().stats());
            measure(cloud, "open, gc", null, store -> store.admin().removeGarbage(Duration.ofHours(1)));
            return true;
        });
    }

    private static void checkpoint(Penstock store) {
        var unused = store.admin().checkpoint();
    }

    private static RecordCollection<Long, Bytes> collection(Penstock store, int number) {
        return store.collection("c" + number, Keys.longs(), PayloadCodec.bytes());
    }

    /** Defines all collections, each by its first use. */
    private void define(VirtualCloud cloud) {
        try (Penstock store = Penstock.open(cloud.settings())) {
            for (int i = 0; i < collections; i++) {
                collection(store, i).get(0L);
            }
        }
    }

    /** Commits a record to each of {@code count} collections, and leaves it to others to apply. */
    private void write(VirtualCloud cloud, int count) {
        Settings settings = cloud.settings().level(ConsistencyLevel.MONOTONIC).checkpointing(false);
        try (Penstock store = Penstock.open(settings)) {
            store.transact(tx -> {
                for (int i = 0; i < count; i++) {
                    tx.put(collection(store, i * (collections / count)), 1L, Bytes.utf8("value"));
                }
                return true;
            });
        }
    }

    private void measure(VirtualCloud cloud, String name, @Nullable Double requestsMax, Consumer<Penstock> work) {
        Meter meter = new Meter();
        long begun = cloud.nanos();
        Duration cpu = cpu();
        try (Penstock store = cloud.open(cloud.settings().checkpointing(false), meter)) {
            work.accept(store);
            add(Figure.atMost(requestsMax, name, meter.requests(), "requests"));
            add(Figure.of(name, (cloud.nanos() - begun) / NANOS_PER_SECOND, "s, virtual"));
            add(Figure.of(name, cpu().minus(cpu).toMillis(), "ms of CPU"));
        }
    }

    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Makes the store look like those of before the names of trees. */
    private static void forgetNames(VirtualCloud cloud) {
        ObjectStore objects = cloud.objects();
        ObjectStores.listAll(objects, "penstock/trees/").forEach(entry -> objects.delete(entry.key()));
    }
}
