package io.penstock.bench.experiment.scale;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.task.Tasks;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Measures steps in turn. Steps of the same name are added up. For one thread. */
final class Steps {
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Tasks tasks;
    private final HeapGauge heap;
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final Map<String, Taken> steps = new LinkedHashMap<>();

    /** The figures of a step so far. */
    private record Taken(String unit, long count, Reading spent, long heapBytes) {
        Taken plus(Taken more) {
            return new Taken(unit, count + more.count, spent.plus(more.spent), Math.max(heapBytes, more.heapBytes));
        }

        ScaleRow row(String step) {
            double seconds = spent.nanos() / NANOS_PER_SECOND;
            return new ScaleRow(
                    step,
                    count,
                    unit,
                    ScaleReport.rounded(seconds, 1000),
                    ScaleReport.rounded(spent.cpuNanos() / NANOS_PER_SECOND, 1000),
                    Math.rint(count / seconds),
                    spent.gets(),
                    spent.puts(),
                    spent.queueCalls(),
                    mib(spent.bytesRead()),
                    mib(spent.bytesWritten()),
                    mib(heapBytes));
        }
    }

    Steps(Tasks tasks, HeapGauge heap) {
        this.tasks = tasks;
        this.heap = heap;
    }

    static double mib(long bytes) {
        return ScaleReport.rounded(bytes / BYTES_PER_MIB, 10);
    }

    /** The registry in which the measured store must count its requests. */
    MeterRegistry meters() {
        return meters;
    }

    /** @param work returns how many of {@code unit} it did */
    void measure(String step, String unit, LongSupplier work) {
        Reading before = Reading.now(tasks, meters);
        long count = work.getAsLong();
        Reading spent = Reading.now(tasks, meters).since(before);
        steps.merge(step, new Taken(unit, count, spent, heap.takeMost()), Taken::plus);
    }

    List<ScaleRow> rows() {
        return steps.entrySet().stream()
                .map(step -> step.getValue().row(step.getKey()))
                .toList();
    }
}
