package io.penstock.bench.experiment.peers;

import io.penstock.bench.program.Benchmark;
import io.penstock.cli.program.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
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

    private final Scores scores = new Scores();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    PeersBench(PrintStream out, PrintStream err) {
        super(out, err);
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(PeersBench::new, arguments);
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
                    run(new Scores.Measured(method, subject, false));
                });
            }
            if (before != null) {
                measureEarlier(before, title);
            }
        }
    }

    private static Stream<Subject> subjects(String method) {
        Stream<Subject> own = Operation.ALL.stream()
                .filter(operation -> operation.method().equals(method))
                .map(Operation::penstock);
        return Stream.concat(own, Operation.PEERS.stream());
    }

    /** Measures with other classes in front of the class path, which JMH hands to the processes that it starts. */
    private void measureEarlier(String classes, String title) {
        String own = System.getProperty(CLASS_PATH);
        System.setProperty(CLASS_PATH, classes + File.pathSeparator + own);
        for (Operation operation : Operation.ALL) {
            if (operation.isOwn()) {
                err.println(title + operation.title() + " before");
                run(new Scores.Measured(operation.method(), operation.penstock(), true));
            }
        }
        System.setProperty(CLASS_PATH, own);
    }

    private Options options(Scores.Measured measured) {
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

    private void run(Scores.Measured measured) {
        PrintStream print = new PrintStream(log, true, StandardCharsets.UTF_8);
        try {
            var format = OutputFormatFactory.createFormatInstance(print, VerboseMode.NORMAL);
            new Runner(options(measured), format)
                    .runSingle().getBenchmarkResults().stream()
                            .flatMap(process -> process.getIterationResults().stream())
                            .forEach(iteration -> scores.add(
                                    measured,
                                    new Scores.Iteration(
                                            figure(iteration, CpuProfiler.NAME), figure(iteration, ALLOCATED))));
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

    @Override
    protected Object report() {
        return scores.rows();
    }

    @Override
    protected String table() {
        return scores.rows().toString();
    }
}
