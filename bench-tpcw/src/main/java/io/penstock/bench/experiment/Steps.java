package io.penstock.bench.experiment;

import com.sun.management.OperatingSystemMXBean;
import io.penstock.bench.program.Rows;
import io.penstock.core.task.Tasks;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

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
            long nanos, long cpuNanos, double gets, double puts, double queueCalls, double read, double written) {}

    private Reading reading() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new Reading(
                tasks.nanoTime(),
                system.getProcessCpuTime(),
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
        private long nanos;
        private long cpuNanos;
        private double gets;
        private double puts;
        private double queueCalls;
        private double read;
        private double written;
        private long heapBytes;

        Step(String unit) {
            this.unit = unit;
        }

        void add(Reading before, Reading after) {
            nanos += after.nanos - before.nanos;
            cpuNanos += after.cpuNanos - before.cpuNanos;
            gets += after.gets - before.gets;
            puts += after.puts - before.puts;
            queueCalls += after.queueCalls - before.queueCalls;
            read += after.read - before.read;
            written += after.written - before.written;
        }
    }

    /** @param work returns how many of {@code unit} it did */
    void measure(String name, String unit, LongSupplier work) {
        Step step = steps.computeIfAbsent(name, n -> new Step(unit));
        Reading before = reading();
        step.count += work.getAsLong();
        step.add(before, reading());
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
                Rows.rounded(step.nanos / NANOS_PER_SECOND, 1000),
                Rows.rounded(step.cpuNanos / NANOS_PER_SECOND, 1000),
                Math.rint(step.count / (step.nanos / NANOS_PER_SECOND)),
                (long) step.gets,
                (long) step.puts,
                (long) step.queueCalls,
                mib(step.read),
                mib(step.written),
                mib(step.heapBytes)));
        return rows;
    }
}
