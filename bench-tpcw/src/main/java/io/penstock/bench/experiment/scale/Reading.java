package io.penstock.bench.experiment.scale;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.core.task.Tasks;
import java.lang.management.ManagementFactory;
import java.util.Objects;

/**
 * Counters at a moment, or their difference between two. Immutable.
 *
 * @param cpuNanos of the whole process
 */
record Reading(long nanos, long cpuNanos, long gets, long puts, long queueCalls, long bytesRead, long bytesWritten) {
    static final Reading NONE = new Reading(0, 0, 0, 0, 0, 0, 0);

    static Reading now(Tasks tasks, MeterRegistry meters) {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new Reading(
                tasks.nanoTime(),
                system.getProcessCpuTime(),
                sum(meters, "penstock.requests", "op", "s3.get"),
                sum(meters, "penstock.requests", "op", "s3.put"),
                sum(meters, "penstock.requests", "op", "sqs."),
                sum(meters, "penstock.bytes", "direction", "out"),
                sum(meters, "penstock.bytes", "direction", "in"));
    }

    private static long sum(MeterRegistry meters, String name, String tag, String beginning) {
        return (long) meters.find(name).counters().stream()
                .filter(counter -> Objects.requireNonNullElse(counter.getId().getTag(tag), "")
                        .startsWith(beginning))
                .mapToDouble(Counter::count)
                .sum();
    }

    Reading since(Reading before) {
        return new Reading(
                nanos - before.nanos,
                cpuNanos - before.cpuNanos,
                gets - before.gets,
                puts - before.puts,
                queueCalls - before.queueCalls,
                bytesRead - before.bytesRead,
                bytesWritten - before.bytesWritten);
    }

    Reading plus(Reading more) {
        return since(NONE.since(more));
    }
}
