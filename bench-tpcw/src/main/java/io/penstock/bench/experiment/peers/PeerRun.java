package io.penstock.bench.experiment.peers;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Has JMH measure one benchmark of one subject in a process of its own. For one thread. */
final class PeerRun {
    /** The same for every store: a heap that none of them fills, and the collector with the cheapest barriers. */
    private static final String[] JVM_ARGUMENTS = {
        "-Xms4g",
        "-Xmx4g",
        "-XX:+UseSerialGC",
        "--enable-native-access=ALL-UNNAMED",
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
        // Another benchmark may run on this machine; that is seen in the figures, and no reason to refuse.
        "-Djmh.ignoreLock=true"
    };

    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private final int records;
    private final Effort effort;
    private final ByteArrayOutputStream log;

    /** @param log takes what JMH and the processes have to say */
    PeerRun(int records, Effort effort, ByteArrayOutputStream log) {
        this.records = records;
        this.effort = effort;
        this.log = log;
    }

    /**
     * As {@link #measure}, with other classes of Penstock in front of the class path. JMH hands its own class path to
     * the processes that it starts.
     */
    void measureEarlier(String classes, String method, Subject subject, Measurement measurement)
            throws RunnerException {
        String property = "java.class.path";
        String own = System.getProperty(property);
        System.setProperty(property, classes + File.pathSeparator + own);
        try {
            measure(method, subject, measurement);
        } finally {
            System.setProperty(property, own);
        }
    }

    /** Adds each iteration's figures to {@code measurement}. */
    void measure(String method, Subject subject, Measurement measurement) throws RunnerException {
        OptionsBuilder options = new OptionsBuilder();
        options.include("^" + PeerBenchmark.class.getName().replace(".", "\\.") + "\\." + method + "$")
                .param("subject", subject.name())
                .param("records", String.valueOf(records))
                .param("warmup", String.valueOf(effort.warmups()))
                .forks(1)
                .jvmArgs(JVM_ARGUMENTS)
                .warmupIterations(effort.warmups())
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(effort.iterations())
                .measurementTime(TimeValue.seconds(1))
                .addProfiler(GCProfiler.class)
                .addProfiler(CpuProfiler.class)
                .shouldFailOnError(true);
        PrintStream print = new PrintStream(log, true, StandardCharsets.UTF_8);
        RunResult result = new Runner(
                        options.build(), OutputFormatFactory.createFormatInstance(print, VerboseMode.NORMAL))
                .runSingle();
        result.getBenchmarkResults()
                .forEach(fork -> fork.getIterationResults()
                        .forEach(iteration ->
                                measurement.add(figure(iteration, CpuProfiler.NAME), figure(iteration, ALLOCATED))));
    }

    private static double figure(IterationResult iteration, String name) {
        for (Map.Entry<String, ? extends Result> entry :
                iteration.getSecondaryResults().entrySet()) {
            if (entry.getKey().endsWith(name)) {
                return entry.getValue().getScore();
            }
        }
        throw new IllegalStateException("a profiler gave no figures: " + name);
    }
}
