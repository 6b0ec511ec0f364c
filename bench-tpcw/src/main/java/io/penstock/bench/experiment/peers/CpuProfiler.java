package io.penstock.bench.experiment.peers;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * A JMH profiler: operations per second of processor time, collector and compiler included. On an idle machine this
 * equals JMH's own score; on a busy one it stays the same. JMH creates it in the measured process.
 */
public final class CpuProfiler implements InternalProfiler {
    static final String NAME = "cpu.ops";

    private static final double NANOS = 1e9;

    private long begunNanos;

    @Override
    public String getDescription() {
        return "operations for each second of processor time";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        begunNanos = cpuNanos();
    }

    @Override
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double seconds = (cpuNanos() - begunNanos) / NANOS;
        double operations = result.getMetadata().getAllOps();
        return List.of(new ScalarResult(NAME, operations / seconds, "ops/s", AggregationPolicy.AVG));
    }

    static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
