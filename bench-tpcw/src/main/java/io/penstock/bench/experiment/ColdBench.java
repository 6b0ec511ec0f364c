package io.penstock.bench.experiment;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.penstock.ConsistencyLevel;
import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Settings;
import io.penstock.bench.program.Benchmark;
import io.penstock.bench.program.TemporaryDirectory;
import io.penstock.bench.tpcw.run.Profiles;
import io.penstock.cli.program.UsageException;
import io.penstock.core.Bytes;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.task.Parallel;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program of {@code scripts/bench cold}. Virtual time: the same figures on every machine, every time. */
@Command(
        name = "bench cold",
        description = "Reads a large cold collection in the simulated cloud: time, GETs and bytes until the first"
                + " records arrive, for pages of 16 KiB to 16 MiB, compared with a download of all pages.",
        sortOptions = false)
public final class ColdBench extends Benchmark {
    private static final long SEED = 1;
    private static final int BATCH = 8_192;
    private static final int PAYLOAD_BYTES = 1_000;

    /** The bytes of the pool: large enough that readahead, which may use a tenth of it, never lacks room. */
    private static final long POOL_BYTES = 4L << 30;

    /** The number of parallel requests, as that of readahead. */
    private static final int DOWNLOAD_WIDTH = 32;

    /** The size in bytes below which pages are read whole. */
    private static final int PAGE_BYTES_OF_BLOCKS = 1 << 20;

    private static final int RUNS_MAX = 1_000;
    private static final int RECORDS_MIN = 1_000;
    private static final int RECORDS_MAX = 1_000_000;
    private static final double NANOS_PER_MILLI = 1e6;

    @Option(names = "--records", paramLabel = "N", description = "records of 1 KB; default: ${DEFAULT-VALUE}")
    private int records = 131_072;

    @Option(names = "--page-kib", split = ",", description = "sizes of pages; default: ${DEFAULT-VALUE}")
    private List<Integer> pageKib = List.of(16, 64, 256, 1 << 10, 4 << 10, 16 << 10);

    @Option(
            names = "--block-kib",
            split = ",",
            description = "sizes of the blocks read first of large pages; default: ${DEFAULT-VALUE}")
    private List<Integer> blockKib = List.of(64, 1 << 10);

    @Option(
            names = "--profiles",
            split = ",",
            converter = Profiles.class,
            description = "names, or files of scripts/bench calibrate; default: aws-2026,express-2026")
    private List<Profile> profiles = List.of(Profile.AWS_2026, Profile.EXPRESS_2026);

    @Option(names = "--runs", paramLabel = "N", description = "runs to average; default: ${DEFAULT-VALUE}")
    private int runs = 5;

    private final List<ColdPoint> points = new ArrayList<>();

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(new ColdBench(), arguments);
    }

    @Override
    protected void check() {
        UsageException.requireRange("--records", records, RECORDS_MIN, RECORDS_MAX);
        UsageException.requireRange("--runs", runs, 1, RUNS_MAX);
    }

    @Override
    protected void measure() {
        for (Profile profile : profiles) {
            for (int kib : pageKib) {
                VirtualCloud.run(profile, cloud -> {
                    new Reads(cloud, profile.name(), kib << 10).measure();
                    return true;
                });
            }
        }
    }

    @Override
    protected Object report() {
        return points;
    }

    @Override
    protected String table() {
        return ColdPoint.tables(points);
    }

    /** Averages several runs: a curve of large pages rests on ten requests, and one slow answer would decide it. */
    private void mean(Supplier<List<ColdPoint>> curve) {
        List<List<ColdPoint>> curves = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            curves.add(curve.get());
        }
        for (int i = 0; i < curves.getFirst().size(); i++) {
            int at = i;
            points.add(ColdPoint.mean(curves.stream().map(of -> of.get(at)).toList()));
        }
    }

    private static RecordCollection<Long, Bytes> records(Penstock store) {
        return store.collection("cold", Keys.longs(), PayloadCodec.bytes());
    }

    /** Reads of one collection, each by a fresh machine. */
    private final class Reads {
        private final VirtualCloud cloud;
        private final String profile;
        private final int pageBytes;
        private final List<Long> marks = new ArrayList<>();

        Reads(VirtualCloud cloud, String profile, int pageBytes) {
            this.cloud = cloud;
            this.profile = profile;
            this.pageBytes = pageBytes;
            for (long mark = 1; mark < records; mark *= 10) {
                marks.add(mark);
            }
        }

        private Settings settings() {
            return cloud.settings().pageBytes(pageBytes).poolBytes(POOL_BYTES);
        }

        void measure() {
            fill();
            mean(() -> List.of(download()));
            mean(() -> scan(0, "none", null));
            if (pageBytes >= PAGE_BYTES_OF_BLOCKS) {
                blockKib.forEach(kib -> mean(() -> scan(kib << 10, "none", null)));
            }
            try (TemporaryDirectory disk = new TemporaryDirectory()) {
                // Fills the disk; the next one is another process, as far as the store knows.
                scan(0, "none", disk.path());
                mean(() -> scan(0, "warm", disk.path()));
            }
        }

        private void fill() {
            SplittableRandom random = new SplittableRandom(SEED);
            try (Penstock store = Penstock.open(settings())) {
                for (int from = 0; from < records; from += BATCH) {
                    int first = from;
                    store.transact(ConsistencyLevel.NAIVE, tx -> {
                        for (long key = first; key < Math.min(records, first + BATCH); key++) {
                            byte[] payload = new byte[PAYLOAD_BYTES];
                            random.nextBytes(payload);
                            tx.put(records(store), key, Bytes.wrap(payload));
                        }
                        return true;
                    });
                }
            }
        }

        /** Downloads all pages of the store by their known names, in parallel: a lower bound for any reader. */
        private ColdPoint download() {
            SimulatedClient machine = cloud.machine();
            ObjectStore objects = cloud.cloud().objects(machine);
            List<String> keys = ObjectStores.listAll(objects, "penstock/pages/").stream()
                    .map(Listing.Entry::key)
                    .toList();
            long began = cloud.nanos();
            long bytes = Parallel.map(
                            machine,
                            DOWNLOAD_WIDTH,
                            keys,
                            key -> objects.get(key).orElseThrow())
                    .stream()
                    .mapToLong(object -> object.body().length())
                    .sum();
            double millis = (cloud.nanos() - began) / NANOS_PER_MILLI;
            Curve curve = new Curve(profile, "download", pageBytes, 0, "none");
            return new ColdPoint(curve, records, millis, keys.size(), bytes);
        }

        /**
         * Returns a point for each of the marks, from an open-ended scan, and one for all records, from a scan that
         * goes to the end at once.
         */
        private List<ColdPoint> scan(int blockBytes, String tier, @Nullable Path disk) {
            Curve curve = new Curve(profile, "pages", pageBytes, blockBytes, tier);
            List<ColdPoint> points = new ArrayList<>();
            read(curve, disk, (scan, point) -> {
                for (long read = 1; read <= marks.getLast() && scan.hasNext(); read++) {
                    scan.next();
                    if (marks.contains(read)) {
                        points.add(point.apply(read));
                    }
                }
            });
            read(curve, disk, (scan, point) -> {
                LongAdder read = new LongAdder();
                scan.forEachRemaining(record -> read.increment());
                points.add(point.apply(read.sum()));
            });
            return points;
        }

        /** @param walk reads; it is given what returns the point of the number of records that are read by then */
        private void read(
                Curve curve, @Nullable Path disk, BiConsumer<Scan<Entry<Long, Bytes>>, LongFunction<ColdPoint>> walk) {
            Meter meter = new Meter();
            Settings settings = settings()
                    .advanced(advanced -> advanced.blockBytes(curve.blockBytes))
                    .readOnly(true);
            try (Penstock store = cloud.open(disk == null ? settings : settings.diskTier(disk, POOL_BYTES), meter)) {
                // The catalog is not measured.
                store.collections();
                meter.start();
                long began = cloud.nanos();
                try (Scan<Entry<Long, Bytes>> scan = records(store).scan(KeySpan.all())) {
                    walk.accept(scan, read -> {
                        double millis = (cloud.nanos() - began) / NANOS_PER_MILLI;
                        return new ColdPoint(curve, read, millis, (long) meter.gets(), (long) meter.bytes());
                    });
                }
            }
        }
    }

    /**
     * A way of reading.
     *
     * @param profile of the simulated cloud
     * @param reader pages of a size, whole or by blocks; or a download of all of the collection's objects
     * @param pageBytes the size at which pages split
     * @param blockBytes the bytes of a page asked for first; 0 for pages read whole
     * @param tier {@code none}, or {@code warm}: a disk tier that a scan before a restart has filled
     */
    record Curve(String profile, String reader, int pageBytes, int blockBytes, String tier) {
        private static final int MIB = 1 << 20;

        private String title() {
            String blocks = blockBytes == 0 ? "" : ", blocks of " + size(blockBytes);
            return reader + " of " + size(pageBytes) + blocks + (tier.equals("none") ? "" : ", " + tier + " disk");
        }

        private static String size(int bytes) {
            return bytes >= MIB ? bytes / MIB + " MiB" : bytes / 1024 + " KiB";
        }
    }

    /**
     * A point of a curve: the cost of reading a number of records.
     *
     * @param records the number of records, from the first of the collection on
     * @param millis virtual time
     * @param gets requests to the object store
     * @param bytes of objects that travelled
     */
    record ColdPoint(@JsonUnwrapped Curve curve, long records, double millis, long gets, long bytes) {
        private static final double BYTES_PER_MIB = 1 << 20;

        /** Returns the mean of the same point of several runs. */
        static ColdPoint mean(List<ColdPoint> runs) {
            return new ColdPoint(
                    runs.getFirst().curve,
                    runs.getFirst().records,
                    mean(runs, ColdPoint::millis),
                    Math.round(mean(runs, ColdPoint::gets)),
                    Math.round(mean(runs, ColdPoint::bytes)));
        }

        private static double mean(List<ColdPoint> runs, ToDoubleFunction<ColdPoint> figure) {
            return runs.stream().mapToDouble(figure).average().orElseThrow();
        }

        /** Markdown, as the documents use: a table for each profile, a row for each curve, a column for each mark. */
        static String tables(List<ColdPoint> points) {
            StringBuilder text = new StringBuilder();
            points.stream()
                    .collect(Collectors.groupingBy(
                            point -> point.curve.profile, LinkedHashMap::new, Collectors.toList()))
                    .forEach((profile, of) -> table(text, profile, of));
            return text.toString();
        }

        private static void table(StringBuilder text, String profile, List<ColdPoint> of) {
            List<Long> marks =
                    of.stream().map(ColdPoint::records).distinct().sorted().toList();
            text.append(profile).append(": time in ms; MiB; GETs until the first records are there\n\n| reader |");
            marks.forEach(mark -> text.append(' ').append(mark).append(" |"));
            text.append("\n|---|").append("---|".repeat(marks.size())).append('\n');
            of.stream()
                    .collect(Collectors.groupingBy(ColdPoint::curve, LinkedHashMap::new, Collectors.toList()))
                    .forEach((curve, on) -> {
                        Map<Long, String> cells =
                                on.stream().collect(Collectors.toMap(ColdPoint::records, ColdPoint::cell, (a, b) -> a));
                        text.append("| ").append(curve.title()).append(" |");
                        marks.forEach(mark -> text.append(' ')
                                .append(cells.getOrDefault(mark, ""))
                                .append(" |"));
                        text.append('\n');
                    });
            text.append('\n');
        }

        private String cell() {
            return String.format(Locale.ROOT, "%.0f; %.1f; %d", millis, bytes / BYTES_PER_MIB, gets);
        }
    }
}
