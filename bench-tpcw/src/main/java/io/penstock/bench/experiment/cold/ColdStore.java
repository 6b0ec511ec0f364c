package io.penstock.bench.experiment.cold;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.ConsistencyLevel;
import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Settings;
import io.penstock.core.Bytes;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Parallel;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One collection in a simulated cloud, and machines that read it; all inside a simulation. For one thread. */
final class ColdStore {
    private static final String NAME = "cold";
    private static final long SEED = 1;
    private static final int BATCH = 8_192;
    private static final int PAYLOAD_BYTES = 1_000;

    /** Large enough that readahead, which may use a tenth of it, never lacks room. */
    private static final long POOL_BYTES = 4L << 30;

    private static final double NANOS_PER_MILLI = 1e6;

    private final Simulation simulation;
    private final SimulatedCloud cloud;
    private final Profile profile;
    private final int pageBytes;
    private int machines;

    private ColdStore(Profile profile, int pageBytes) {
        this.simulation = new Simulation(SEED);
        this.cloud = new SimulatedCloud(simulation, profile, World.CALM);
        this.profile = profile;
        this.pageBytes = pageBytes;
    }

    /** The work on a filled store. */
    interface Work {
        void with(ColdStore store);
    }

    /** Fills a store with {@code records} records of about 1 KB and does {@code work}, in a simulation of its own. */
    static void run(Profile profile, int pageBytes, int records, Work work) {
        ColdStore store = new ColdStore(profile, pageBytes);
        store.simulation.run(() -> {
            store.fill(records);
            work.with(store);
            return true;
        });
    }

    private SimulatedClient machine() {
        return simulation.client("m" + machines++);
    }

    private Settings settings(SimulatedClient machine) {
        return Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                .level(ConsistencyLevel.ATOMIC)
                .sweeping(false)
                .pageBytes(pageBytes)
                .poolBytes(POOL_BYTES);
    }

    private static RecordCollection<Long, Bytes> records(Penstock store) {
        return store.collection(NAME, Keys.longs(), PayloadCodec.bytes());
    }

    private void fill(int count) {
        SplittableRandom random = new SplittableRandom(SEED);
        try (Penstock store = Penstock.open(settings(machine()))) {
            for (int from = 0; from < count; from += BATCH) {
                int first = from;
                store.transact(ConsistencyLevel.NAIVE, tx -> {
                    for (long key = first; key < Math.min(count, first + BATCH); key++) {
                        byte[] payload = new byte[PAYLOAD_BYTES];
                        random.nextBytes(payload);
                        tx.put(records(store), key, Bytes.wrap(payload));
                    }
                    return true;
                });
            }
        }
    }

    int pageBytes() {
        return pageBytes;
    }

    /** A way to read: {@code blockBytes} as in the settings, and a name for the state of the disk tier. */
    record Reader(int blockBytes, String tier) {}

    /**
     * A point for each of {@code marks}, from an open-ended scan, and one for all records, from a scan declared to run
     * to the end. Each scan runs on a fresh machine that opens the store.
     */
    List<Point> scan(Reader reader, List<Long> marks, @Nullable Path disk) {
        List<Point> points = new ArrayList<>();
        read(reader, disk, (scan, meter) -> {
            for (long read = 1; read <= marks.getLast() && scan.hasNext(); read++) {
                scan.next();
                if (marks.contains(read)) {
                    points.add(meter.point(read));
                }
            }
        });
        read(reader, disk, (scan, meter) -> {
            LongAdder read = new LongAdder();
            scan.forEachRemaining(record -> read.increment());
            points.add(meter.point(read.sum()));
        });
        return points;
    }

    private void read(Reader reader, @Nullable Path disk, BiConsumer<Scan<Entry<Long, Bytes>>, Meter> work) {
        SimulatedClient machine = machine();
        MeterRegistry meters = new SimpleMeterRegistry();
        Settings settings =
                settings(machine).blockBytes(reader.blockBytes).readOnly(true).meters(meters);
        if (disk != null) {
            settings = settings.diskTier(disk, POOL_BYTES);
        }
        try (Penstock store = Penstock.open(settings)) {
            // The catalog is not measured.
            store.collections();
            Meter meter = new Meter(reader, meters, machine);
            try (Scan<Entry<Long, Bytes>> scan = records(store).scan(KeySpan.all())) {
                work.accept(scan, meter);
            }
        }
    }

    /** Counts from its creation on. */
    private final class Meter {
        private final Reader reader;
        private final MeterRegistry meters;
        private final SimulatedClient machine;
        private final long beganNanos;
        private final long getsBefore;
        private final long bytesBefore;

        Meter(Reader reader, MeterRegistry meters, SimulatedClient machine) {
            this.reader = reader;
            this.meters = meters;
            this.machine = machine;
            this.beganNanos = machine.nanoTime();
            this.getsBefore = gets();
            this.bytesBefore = bytes();
        }

        private long gets() {
            return sum("penstock.requests", "op", "s3.get");
        }

        private long bytes() {
            return sum("penstock.bytes", "direction", "out");
        }

        private long sum(String name, String tag, String value) {
            return (long) meters.find(name).tag(tag, value).counters().stream()
                    .mapToDouble(counter -> counter.count())
                    .sum();
        }

        Point point(long records) {
            return new Point(
                    profile.name(),
                    "pages",
                    pageBytes,
                    reader.blockBytes,
                    reader.tier,
                    records,
                    (machine.nanoTime() - beganNanos) / NANOS_PER_MILLI,
                    gets() - getsBefore,
                    bytes() - bytesBefore);
        }
    }

    /** Downloads all pages of the store by their known names, in parallel: a lower bound for any reader. */
    Point download(int width, long records) {
        SimulatedClient machine = machine();
        ObjectStore objects = cloud.objects(machine);
        List<String> keys = new ArrayList<>();
        String last = "";
        Listing listing;
        do {
            listing = objects.list("penstock/pages/", last, 1_000);
            listing.entries().forEach(entry -> keys.add(entry.key()));
            last = keys.getLast();
        } while (listing.more());
        long began = machine.nanoTime();
        long bytes =
                Parallel.map(machine, width, keys, key ->
                                (long) objects.get(key).orElseThrow().body().length())
                        .stream()
                        .mapToLong(Long::longValue)
                        .sum();
        double millis = (machine.nanoTime() - began) / NANOS_PER_MILLI;
        return new Point(profile.name(), "download", pageBytes, 0, "none", records, millis, keys.size(), bytes);
    }
}
