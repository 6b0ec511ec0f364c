package io.penstock.bench.experiment.peers;

import io.penstock.bench.experiment.peers.PeerBenchmark.Subject;
import io.penstock.bench.program.Benchmark;
import io.penstock.bench.program.Quantiles;
import io.penstock.bench.program.Rows;
import io.penstock.cli.program.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program of {@code scripts/bench peers}: JMH measures each benchmark of each store in a new process. */
@Command(
        name = "bench peers",
        description =
                "Compares cached reads, scans and batches of Penstock and embedded stores; all data is in memory.",
        sortOptions = false)
public final class PeersBench extends Benchmark {
    /** The flags of every store: a heap that none fills, and the collector with the cheapest barriers. */
    private static final String[] JVM_ARGUMENTS = {
        "-Xms4g",
        "-Xmx4g",
        "-XX:+UseSerialGC",
        "--enable-native-access=ALL-UNNAMED",
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
        // Another benchmark may run on this machine; that is seen in the figures, and no reason to refuse.
        "-Djmh.ignoreLock=true"
    };

    private static final List<Operation> OPERATIONS = List.of(
            new Operation("pointRead", "reads/s", "read", Subject.PENSTOCK, false),
            new Operation("pointReadTree", "reads/s", "read", Subject.PENSTOCK_TREE, false),
            new Operation("scan1000", "records/s", "scan", Subject.PENSTOCK, false),
            new Operation("scan1000Next", "records/s", "scan", Subject.PENSTOCK_BY_NEXT, false),
            new Operation("scan1000Tree", "records/s", "scan", Subject.PENSTOCK_TREE, false),
            new Operation("apply1000", "records/s", "apply", Subject.PENSTOCK_PAGE, false),
            new Operation("decode1000", "records/s", "apply", Subject.PENSTOCK_DECODE, true),
            new Operation("write1000", "records/s", "apply", Subject.PENSTOCK_WRITE, true));

    private static final List<Subject> PEERS = List.of(Subject.H2MVSTORE, Subject.MAPDB);

    private static final String CLASS_PATH = "java.class.path";
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    @Option(names = "--quick", description = "one short round of five minutes, with rougher figures")
    private boolean quick;

    @Option(names = "--records", paramLabel = "N", description = "records in each store; default: ${DEFAULT-VALUE}")
    private int records = 1_000_000;

    @Option(
            names = "--before",
            paramLabel = "CLASSPATH",
            description = "classes of core and btree of another checkout, to measure decode and write with as well")
    private @Nullable String before;

    private final Map<Measured, List<Iteration>> iterations = new HashMap<>();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    /**
     * A row of the report: what is measured, and the part of Penstock that does it.
     *
     * @param method of {@link PeerBenchmark}
     * @param isOwn whether no peer does the same, so that it is compared with an earlier Penstock alone
     */
    private record Operation(String title, String unit, String method, Subject penstock, boolean isOwn) {}

    /** A benchmark of a subject. */
    record Measured(String method, Subject subject, boolean before) {}

    /** The operations per second of processor time, and the bytes that one of them allocates. */
    record Iteration(double perSecond, double allocatedBytes) {}

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(new PeersBench(), arguments);
    }

    @Override
    protected void check() {
        if (records < 2 * Records.RUN) {
            throw new UsageException("--records is out of range; give " + 2 * Records.RUN + " or more");
        }
    }

    /** Stores take turns within a round, so that a busy minute of the machine does not hit one of them alone. */
    @Override
    protected void measure() {
        int rounds = quick ? 1 : 3;
        for (int round = 1; round <= rounds; round++) {
            String title = "round " + round + " of " + rounds + ": ";
            for (String method : List.of("read", "scan", "apply")) {
                subjects(method).forEach(subject -> {
                    err.println(title + method + " " + subject);
                    run(new Measured(method, subject, false));
                });
            }
            if (before != null) {
                measureEarlier(before, title);
            }
        }
    }

    private static Stream<Subject> subjects(String method) {
        Stream<Subject> own = OPERATIONS.stream()
                .filter(operation -> operation.method().equals(method))
                .map(Operation::penstock);
        return Stream.concat(own, PEERS.stream());
    }

    /** Measures with other classes in front of the class path, which JMH hands to the processes that it starts. */
    private void measureEarlier(String classes, String title) {
        String own = System.getProperty(CLASS_PATH);
        System.setProperty(CLASS_PATH, classes + File.pathSeparator + own);
        for (Operation operation : OPERATIONS) {
            if (operation.isOwn()) {
                err.println(title + operation.title() + " before");
                run(new Measured(operation.method(), operation.penstock(), true));
            }
        }
        System.setProperty(CLASS_PATH, own);
    }

    private Options options(Measured measured) {
        int warmups = quick ? 4 : 5;
        return new OptionsBuilder()
                .include("^" + PeerBenchmark.class.getName().replace(".", "\\.") + "\\." + measured.method() + "$")
                .param("subject", measured.subject().name())
                .param("records", String.valueOf(records))
                .param("warmup", String.valueOf(warmups))
                .forks(1)
                .jvmArgs(JVM_ARGUMENTS)
                .warmupIterations(warmups)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(quick ? 5 : 7)
                .measurementTime(TimeValue.seconds(1))
                .addProfiler(GCProfiler.class)
                .addProfiler(CpuProfiler.class)
                .shouldFailOnError(true)
                .build();
    }

    private void run(Measured measured) {
        PrintStream print = new PrintStream(log, true, StandardCharsets.UTF_8);
        try {
            var format = OutputFormatFactory.createFormatInstance(print, VerboseMode.NORMAL);
            new Runner(options(measured), format)
                    .runSingle().getBenchmarkResults().stream()
                            .flatMap(process -> process.getIterationResults().stream())
                            .forEach(iteration -> add(
                                    measured,
                                    new Iteration(figure(iteration, CpuProfiler.NAME), figure(iteration, ALLOCATED))));
        } catch (RunnerException failure) {
            err.write(log.toByteArray(), 0, log.size());
            throw new FailedException("a store could not be measured; the lines above say why");
        }
    }

    private static double figure(IterationResult iteration, String name) {
        return iteration.getSecondaryResults().entrySet().stream()
                .filter(result -> result.getKey().endsWith(name))
                .mapToDouble(result -> result.getValue().getScore())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("a profiler gave no figures: " + name));
    }

    void add(Measured measured, Iteration iteration) {
        iterations.computeIfAbsent(measured, m -> new ArrayList<>()).add(iteration);
    }

    /** Returns the median, so that other work on the machine does not count; zeros for what was not measured. */
    private Iteration median(Measured measured) {
        List<Iteration> all = iterations.getOrDefault(measured, List.of(new Iteration(0, 0)));
        return new Iteration(
                Quantiles.at(all.stream().map(Iteration::perSecond).toList(), 0.5),
                Quantiles.at(all.stream().map(Iteration::allocatedBytes).toList(), 0.5));
    }

    /** Returns a row for each operation. A ratio above 1 says that Penstock is faster than the fastest peer. */
    @Override
    protected Rows report() {
        Rows rows = new Rows()
                .column("operation", "operation", "%s")
                .column("unit", "unit", "%s")
                .column("penstock", "penstock", "%,.0f")
                .column("h2mvstore", "h2mvstore", "%,.0f")
                .column("mapdb", "mapdb", "%,.0f")
                .column("ratioToBest", "ratioToBest", "%.2f")
                .column("allocatedBytes", "allocatedBytes", "%.1f")
                .column("before", "before", "%,.0f");
        for (Operation operation : OPERATIONS) {
            Iteration own = median(new Measured(operation.method(), operation.penstock(), false));
            Iteration before = median(new Measured(operation.method(), operation.penstock(), true));
            double[] peers = PEERS.stream()
                    .mapToDouble(peer ->
                            operation.isOwn() ? 0 : median(new Measured(operation.method(), peer, false)).perSecond)
                    .toArray();
            double best = Math.max(peers[0], peers[1]);
            rows.add(
                    operation.title(),
                    operation.unit(),
                    Math.rint(own.perSecond),
                    Math.rint(peers[0]),
                    Math.rint(peers[1]),
                    best == 0 ? 0.0 : Rows.rounded(own.perSecond / best, 100),
                    Rows.rounded(own.allocatedBytes, 10),
                    Math.rint(before.perSecond));
        }
        return rows;
    }
}
