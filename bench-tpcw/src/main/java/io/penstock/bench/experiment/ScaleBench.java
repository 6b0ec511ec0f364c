package io.penstock.bench.experiment;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.bench.program.Benchmark;
import io.penstock.bench.program.Rows;
import io.penstock.bench.program.TemporaryDirectory;
import io.penstock.bench.tpcw.run.Usage;
import io.penstock.bench.tpcw.run.Usage.Count;
import io.penstock.cli.program.UsageException;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program of {@code scripts/bench scale}. */
@Command(
        name = "bench scale",
        description = "Loads a large collection into a local store, in a small heap, then checks, scans, reads and"
                + " updates it, applies deep queues, builds an index, verifies, collects and compacts, and compares"
                + " every record.",
        sortOptions = false)
public final class ScaleBench extends Benchmark {
    private static final int RECORDS_MAX = 1_000_000_000;

    /** The maximum of {@code --writes}: less than half of what a session keeps until it is applied, 64 MiB. */
    private static final int WRITES_MAX = 200_000;

    /** The heap that {@code scripts/bench} sets, and that the figures are for. */
    private static final long HEAP_BYTES = 256L << 20;

    /** Inserts between two checkpoints, so that the tree grows by many small steps. */
    private static final int INSERT_ROUND = 10_000;

    /** Disk for a record: in the store and, while it is loaded, in sorted files and their merges. */
    private static final long DISK_BYTES_PER_RECORD = 400;

    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double NANOS_PER_SECOND = 1e9;

    @Option(names = "--records", paramLabel = "N", description = "records to load; default: ${DEFAULT-VALUE}")
    private int records = 10_000_000;

    @Option(names = "--reads", paramLabel = "N", description = "reads of single records; default: ${DEFAULT-VALUE}")
    private int reads = 100_000;

    @Option(
            names = "--writes",
            paramLabel = "N",
            description = "updates, and as many inserts; default: ${DEFAULT-VALUE}")
    private int writes = 100_000;

    @Option(names = "--pool-mib", paramLabel = "MIB", description = "page pool; default: ${DEFAULT-VALUE}")
    private int poolMib = 64;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "an empty or new directory that keeps the store; default: a temporary one")
    private @Nullable Path directory;

    private final Meter meter = new Meter();
    private final Rows trees = ScaleStore.treeRows();
    private final Tasks tasks = new ThreadTasks();
    private final HeapGauge heap = new HeapGauge(tasks);
    private final Map<String, Step> steps = new LinkedHashMap<>();

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(new ScaleBench(), arguments);
    }

    @Override
    protected void check() {
        UsageException.requireRange("--records", records, 1, RECORDS_MAX);
        UsageException.requireRange("--reads", reads, 1, RECORDS_MAX);
        UsageException.requireRange("--writes", writes, 1, WRITES_MAX);
        UsageException.requireRange("--pool-mib", poolMib, 1, (int) (HeapGauge.heapMax() >> 20));
    }

    @Override
    protected void measure() {
        if (HeapGauge.heapMax() > HEAP_BYTES) {
            err.println("bench scale: the heap may grow to " + (HeapGauge.heapMax() >> 20) + " MiB, not to "
                    + (HEAP_BYTES >> 20) + ": the figures are those of another heap");
        }
        try (TemporaryDirectory where = TemporaryDirectory.orEmpty(directory)) {
            measure(where.path());
        }
        progress.end();
    }

    private void measure(Path where) {
        requireRoom(where);
        try (ScaleStore store = open(where)) {
            step("load, unsorted", "records", store::load);
        }
        try (ScaleStore store = open(where)) {
            step("check", "records", () -> store.check(records));
            step("scan, compare", "records", store::scan);
            step("random reads", "records", () -> store.read(reads));
            step("stats", "records", () -> store.trees(trees));
            write(store);
            care(store);
            step("check again", "records", () -> store.check(records + writes));
            step("scan, compare again", "records", store::scan);
            var unused = store.trees(trees);
        }
    }

    private ScaleStore open(Path where) {
        // Checkpoints only by command, so that commits and checkpoints are separate steps.
        Settings settings = Settings.local(where)
                .level(ConsistencyLevel.ATOMIC)
                .poolBytes((long) poolMib << 20)
                .checkpointing(false)
                .meters(meter.registry());
        return new ScaleStore(Penstock.open(settings), records, progress);
    }

    private void write(ScaleStore store) {
        step("commit updates", "records", () -> store.update(writes));
        step("apply updates", "records", store::checkpoint);
        step("read updates", "records", () -> store.readUpdated(writes));
        for (long first = 0; first < writes; first += INSERT_ROUND) {
            long begin = first;
            long end = Math.min(writes, begin + INSERT_ROUND);
            step("commit inserts", "records", () -> store.insert(begin, end));
            step("apply inserts", "records", store::checkpoint);
        }
    }

    private void care(ScaleStore store) {
        step("fill deep queues", "records", () -> store.fillQueues(writes));
        step("apply deep queues", "records", store::checkpoint);
        step("build index, check it", "records", store::buildIndex);
        step("verify", "pages", store::verify);
        step("gc", "objects", store::collectGarbage);
        step("compact", "leaves", store::compact);
    }

    /** The report as JSON. The names of the fields are an interface. */
    private record Report(long records, double heapMaxMib, long poolMib, Rows steps, Rows trees) {}

    @Override
    protected Object report() {
        return new Report(records, mib(HeapGauge.heapMax()), poolMib, rows(), trees);
    }

    @Override
    protected String table() {
        double heapMib = mib(HeapGauge.heapMax());
        return String.format(Locale.ROOT, "heap at most %.0f MiB, pool %d MiB%n%n", heapMib, poolMib)
                + rows()
                + "\n"
                + trees;
    }

    private void requireRoom(Path where) {
        long wanted = records * DISK_BYTES_PER_RECORD;
        try {
            long usable = Files.getFileStore(where).getUsableSpace();
            if (usable < wanted) {
                throw new UsageException("there is not enough disk for " + records + " records: they take about "
                        + (wanted >> 20) + " MiB of disk while they are loaded, and " + (usable >> 20)
                        + " MiB are free; free some, or lower --records");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the free space of a disk cannot be read directory=" + where, e);
        }
    }

    /** The counters at a moment, in the order of the columns; processor time is that of the whole process. */
    private double[] reading() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Usage used = meter.used();
        return new double[] {
            tasks.nanoTime() / NANOS_PER_SECOND,
            system.getProcessCpuTime() / NANOS_PER_SECOND,
            used.of(Count.S3_GET),
            used.of(Count.S3_PUT),
            EnumSet.range(Count.SQS_SEND, Count.SQS_OTHER).stream()
                    .mapToLong(used::of)
                    .sum(),
            used.bytesOut(),
            used.bytesIn()
        };
    }

    /** The sums of all steps of one name. */
    private static final class Step {
        private final String unit;
        private final double[] used = new double[7];
        private long count;
        private long heapBytes;

        Step(String unit) {
            this.unit = unit;
        }
    }

    /**
     * Measures a step. Those of the same name are added up.
     *
     * @param work returns how many of {@code unit} it did
     */
    private void step(String name, String unit, LongSupplier work) {
        Step step = steps.computeIfAbsent(name, n -> new Step(unit));
        double[] before = reading();
        step.count += work.getAsLong();
        double[] after = reading();
        Arrays.setAll(step.used, i -> step.used[i] + after[i] - before[i]);
        step.heapBytes = Math.max(step.heapBytes, heap.takeMost());
    }

    private static double mib(double bytes) {
        return Rows.rounded(bytes / BYTES_PER_MIB, 10);
    }

    /** Returns a row for each name; "heap MiB" is the most after a full collection, one of which ends each step. */
    private Rows rows() {
        Rows rows = new Rows()
                .column("step", "step", "%s")
                .column("count", "count", "%,d")
                .column("unit", "unit", "%s")
                .column("seconds", "seconds", "%,.1f")
                .column("cpuSeconds", "CPU s", "%,.1f")
                .column("perSecond", "per s", "%,.0f")
                .column("gets", "GETs", "%,d")
                .column("puts", "PUTs", "%,d")
                .column("queueCalls", "queue calls", "%,d")
                .column("mibRead", "MiB read", "%,.1f")
                .column("mibWritten", "MiB written", "%,.1f")
                .column("heapMib", "heap MiB", "%,.1f");
        steps.forEach((name, step) -> rows.add(
                name,
                step.count,
                step.unit,
                Rows.rounded(step.used[0], 1000),
                Rows.rounded(step.used[1], 1000),
                Math.rint(step.count / step.used[0]),
                (long) step.used[2],
                (long) step.used[3],
                (long) step.used[4],
                mib(step.used[5]),
                mib(step.used[6]),
                mib(step.heapBytes)));
        return rows;
    }

    /**
     * A gauge of the heap in use right after full collections, which is what a program needs. (Between them the
     * collector decides.) Safe for use by many threads. It reads until the process ends.
     */
    private static final class HeapGauge {
        private static final String FULL = "end of major GC";

        /** Pauses in which to wait for the notice of a collection. A later notice counts for the next reading. */
        private static final int PAUSES_MAX = 200;

        private static final Set<String> HEAP_POOLS = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getName)
                .collect(Collectors.toUnmodifiableSet());

        private final Tasks tasks;
        private final AtomicLong most = new AtomicLong();
        private final AtomicLong collections = new AtomicLong();

        HeapGauge(Tasks tasks) {
            this.tasks = tasks;
            ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .filter(NotificationEmitter.class::isInstance)
                    .map(NotificationEmitter.class::cast)
                    .forEach(bean -> bean.addNotificationListener((notice, handback) -> collected(notice), null, null));
        }

        /** Returns the value of {@code -Xmx}, in bytes. */
        static long heapMax() {
            return Long.parseLong(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .getVMOption("MaxHeapSize")
                    .getValue());
        }

        private void collected(Notification notice) {
            if (!notice.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
                return;
            }
            var info = GarbageCollectionNotificationInfo.from((CompositeData) notice.getUserData());
            if (info.getGcAction().equals(FULL)) {
                long used = info.getGcInfo().getMemoryUsageAfterGc().entrySet().stream()
                        .filter(pool -> HEAP_POOLS.contains(pool.getKey()))
                        .mapToLong(pool -> pool.getValue().getUsed())
                        .sum();
                most.accumulateAndGet(used, Math::max);
                collections.incrementAndGet();
            }
        }

        /** Runs a full collection; returns the maximum in use after any since the last call, in bytes. */
        long takeMost() {
            long before = collections.get();
            System.gc();
            for (int pause = 0; pause < PAUSES_MAX && collections.get() == before; pause++) {
                tasks.sleep(Duration.ofMillis(1));
            }
            return most.getAndSet(0);
        }
    }
}
