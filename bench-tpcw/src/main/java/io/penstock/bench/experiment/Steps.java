package io.penstock.bench.experiment;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import io.penstock.bench.program.Rows;
import io.penstock.core.task.Tasks;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** Measures steps in turn. Steps of the same name are added up. For one thread. */
final class Steps {
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Tasks tasks;
    private final HeapGauge heap;
    private final Meter meter;
    private final Map<String, Step> steps = new LinkedHashMap<>();

    /** @param meter counts the requests of the measured store */
    Steps(Tasks tasks, HeapGauge heap, Meter meter) {
        this.tasks = tasks;
        this.heap = heap;
        this.meter = meter;
    }

    /** The counters at a moment; processor time is that of the whole process, the collector and compiler included. */
    private record Reading(
            double seconds, double cpuSeconds, double gets, double puts, double calls, double read, double written) {
        /** Returns this and what came between two readings. */
        Reading plus(Reading before, Reading after) {
            return new Reading(
                    seconds + after.seconds - before.seconds,
                    cpuSeconds + after.cpuSeconds - before.cpuSeconds,
                    gets + after.gets - before.gets,
                    puts + after.puts - before.puts,
                    calls + after.calls - before.calls,
                    read + after.read - before.read,
                    written + after.written - before.written);
        }
    }

    private Reading reading() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new Reading(
                tasks.nanoTime() / NANOS_PER_SECOND,
                system.getProcessCpuTime() / NANOS_PER_SECOND,
                meter.total("penstock.requests", "op", "s3.get"),
                meter.total("penstock.requests", "op", "s3.put"),
                meter.total("penstock.requests", "op", "sqs."),
                meter.total("penstock.bytes", "direction", "out"),
                meter.total("penstock.bytes", "direction", "in"));
    }

    /** The sums of all steps of one name. */
    private static final class Step {
        private final String unit;
        private long count;
        private Reading used = new Reading(0, 0, 0, 0, 0, 0, 0);
        private long heapBytes;

        Step(String unit) {
            this.unit = unit;
        }
    }

    /** @param work returns how many of {@code unit} it did */
    void measure(String name, String unit, LongSupplier work) {
        Step step = steps.computeIfAbsent(name, n -> new Step(unit));
        Reading before = reading();
        step.count += work.getAsLong();
        step.used = step.used.plus(before, reading());
        step.heapBytes = Math.max(step.heapBytes, heap.takeMost());
    }

    static double mib(double bytes) {
        return Rows.rounded(bytes / BYTES_PER_MIB, 10);
    }

    /** Returns a row for each name; "heap MiB" is the most after a full collection, one of which ends each step. */
    Rows rows() {
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
                Rows.rounded(step.used.seconds, 1000),
                Rows.rounded(step.used.cpuSeconds, 1000),
                Math.rint(step.count / step.used.seconds),
                (long) step.used.gets,
                (long) step.used.puts,
                (long) step.used.calls,
                mib(step.used.read),
                mib(step.used.written),
                mib(step.heapBytes)));
        return rows;
    }

    /**
     * A gauge of the heap in use right after full collections, which is what a program needs. (Between them the collector
     * decides.) Safe for use by many threads. It reads until the process ends.
     */
    static final class HeapGauge {
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
