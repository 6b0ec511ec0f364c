package io.penstock.bench.experiment.compression;

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
import io.penstock.core.Compression;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Cold reads of one collection in a simulated cloud.
 *
 * @param storedBytes of all its pages' objects
 * @param scanMillis virtual time of a scan of all of it
 * @param pointMillis virtual time of one read, on average
 * @param pages their objects
 */
record ColdReads(long storedBytes, double scanMillis, double pointMillis, List<PageCost.Plain> pages) {
    private static final String PAGES = "penstock/pages/";
    private static final int HEX_LONG = 16;
    private static final long SEED = 1;
    private static final int POINTS = 50;
    private static final long POOL_BYTES = 2L << 30;
    private static final double NANOS_PER_MILLI = 1e6;

    /** The parameters of a measurement. */
    record Case(Profile profile, Payloads payloads, int pageBytes, long records, Compression compression) {}

    static ColdReads of(Case of) {
        Simulation simulation = new Simulation(SEED);
        return new Machines(of, simulation, new SimulatedCloud(simulation, of.profile, World.CALM)).run();
    }

    /** The machines of one case; all inside its simulation. For one thread. */
    private static final class Machines {
        private final Case of;
        private final Simulation simulation;
        private final SimulatedCloud cloud;
        private int machines;

        Machines(Case of, Simulation simulation, SimulatedCloud cloud) {
            this.of = of;
            this.simulation = simulation;
            this.cloud = cloud;
        }

        ColdReads run() {
            return simulation.run(() -> {
                fill();
                double scan = read(this::scanAll);
                SplittableRandom random = new SplittableRandom(SEED);
                double points = 0;
                for (int i = 0; i < POINTS; i++) {
                    long key = 1 + random.nextLong(of.records);
                    points += read(records -> readOne(records, key));
                }
                List<PageCost.Plain> pages = pages();
                long stored =
                        pages.stream().mapToLong(page -> page.object().length()).sum();
                return new ColdReads(stored, scan, points / POINTS, pages);
            });
        }

        private Settings settings(SimulatedClient machine) {
            return Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                    .level(ConsistencyLevel.ATOMIC)
                    .pageBytes(of.pageBytes)
                    .poolBytes(POOL_BYTES);
        }

        private static RecordCollection<Long, Bytes> records(Penstock store) {
            return store.collection("records", Keys.longs(), PayloadCodec.bytes());
        }

        private void fill() {
            try (Penstock store = Penstock.open(settings(simulation.client("loader")))) {
                records(store)
                        .compressed(of.compression)
                        .load(
                                LongStream.rangeClosed(1, of.records)
                                        .mapToObj(key -> new Entry<>(key, of.payloads.payload(key)))
                                        .iterator(),
                                loaded -> {});
            }
        }

        /** The work on a collection that is not in memory. */
        private interface Work {
            void with(RecordCollection<Long, Bytes> records);
        }

        /** Virtual milliseconds of a fresh machine. */
        private double read(Work work) {
            SimulatedClient machine = simulation.client("m" + machines++);
            try (Penstock store = Penstock.open(settings(machine).readOnly(true))) {
                // The catalog is not measured.
                store.collections();
                long began = machine.nanoTime();
                work.with(records(store));
                return (machine.nanoTime() - began) / NANOS_PER_MILLI;
            }
        }

        private void scanAll(RecordCollection<Long, Bytes> records) {
            long read = 0;
            try (Scan<Entry<Long, Bytes>> scan = records.scan(KeySpan.all())) {
                for (; scan.hasNext(); read++) {
                    scan.next();
                }
            }
            if (read != of.records) {
                throw new IllegalStateException("records were lost: " + read + " of " + of.records);
            }
        }

        private static void readOne(RecordCollection<Long, Bytes> records, long key) {
            if (records.get(key).isEmpty()) {
                throw new IllegalStateException("a record was lost: " + key);
            }
        }

        private List<PageCost.Plain> pages() {
            ObjectStore objects = cloud.objects(simulation.client("lister"));
            List<PageCost.Plain> pages = new ArrayList<>();
            for (var entry : ObjectStores.listAll(objects, PAGES)) {
                String name = entry.key().substring(PAGES.length());
                TreeId tree = TreeId.fromHex(name.substring(0, HEX_LONG));
                PageId id = new PageId(tree, HexFormat.fromHexDigitsToLong(name.substring(HEX_LONG + 1)));
                pages.add(new PageCost.Plain(
                        id, objects.get(entry.key()).orElseThrow().body()));
            }
            return pages;
        }
    }
}
