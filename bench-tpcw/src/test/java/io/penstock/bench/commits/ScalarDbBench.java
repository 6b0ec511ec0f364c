package io.penstock.bench.commits;

import io.penstock.bench.program.Benchmark;
import io.penstock.bench.program.ChildJvm;
import io.penstock.bench.tpcw.run.Profiles;
import io.penstock.cli.program.UsageException;
import io.penstock.testing.RealServers;
import io.penstock.testkit.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program behind {@code scripts/bench scalardb}. */
@Command(
        name = "bench scalardb",
        description = "Compares transactions that read and write records, of Penstock at SERIALIZABLE in a bucket alone"
                + " and of ScalarDB, on MinIO behind a proxy with the latencies of AWS. The clock is the machine's:"
                + " leave it alone meanwhile.",
        sortOptions = false)
public final class ScalarDbBench extends Benchmark {
    private static final int SECONDS_MAX = 3_600;
    private static final String ONE_PHASE = "one_phase_commit.enabled=true";
    private static final String ASYNC = "async_commit.enabled=true";
    private static final String GROUP = "coordinator.group_commit.enabled=true";

    /** The options of Consensus Commit, by the names of their rows. */
    private static final Map<String, List<String>> SCALARDB = new LinkedHashMap<>();

    static {
        SCALARDB.put("ScalarDB by default", List.of());
        SCALARDB.put("ScalarDB, one phase, async", List.of(ONE_PHASE, ASYNC));
        SCALARDB.put("ScalarDB, one phase, async, group", List.of(ONE_PHASE, ASYNC, GROUP));
    }

    @Option(names = "--class-path", paramLabel = "FILE", description = "names ScalarDB's; scripts/bench writes it")
    private @Nullable Path classPath;

    @Option(names = "--program", paramLabel = "FILE", description = "ScalarDbCommits.java")
    private @Nullable Path program;

    @Option(names = "--seconds", paramLabel = "N", description = "of each measurement; default: ${DEFAULT-VALUE}")
    private int seconds = 10;

    @Option(names = "--callers", split = ",", description = "callers at a time; default: ${DEFAULT-VALUE}")
    private List<Integer> callers = List.of(1, 16, 64);

    @Option(names = "--records", split = ",", description = "of a transaction; default: ${DEFAULT-VALUE}")
    private List<Integer> records = List.of(1, 3);

    @Option(names = "--draws", split = ",", description = "uniform, zipf; default: both")
    private List<String> draws = List.of("uniform", "zipf");

    @Option(
            names = "--processes",
            paramLabel = "N",
            description = "that share the callers in the last rows; 1 for no such rows; default: ${DEFAULT-VALUE}")
    private int processes = 4;

    @Option(
            names = "--profile",
            paramLabel = "P",
            converter = Profiles.class,
            description = "latencies and prices: a name, or a file of scripts/bench calibrate; default: aws-2026")
    private Profile profile = Profile.AWS_2026;

    private final List<Commits> commits = new ArrayList<>();

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(new ScalarDbBench(), arguments);
    }

    @Override
    protected void check() {
        UsageException.requireRange("--seconds", seconds, 1, SECONDS_MAX);
        UsageException.requireRange("--processes", processes, 1, 64);
        callers.forEach(count -> UsageException.requireRange("--callers", count, 1, 1_000));
        records.forEach(count -> UsageException.requireRange("--records", count, 1, 100));
        draws.stream()
                .filter(draw -> !List.of("uniform", "zipf").contains(draw))
                .forEach(draw -> {
                    throw new UsageException("--draws are uniform and zipf, and not " + draw);
                });
    }

    @Override
    protected void measure() {
        try (Place place = Place.open(profile, RealServers.minio())) {
            place.servers().objects(Place.BUCKET).close();
            for (int each : records) {
                for (String draw : draws) {
                    callers.forEach(count -> measure(place, each, draw, 1, count));
                }
            }
            int most = callers.stream().mapToInt(Integer::intValue).max().orElse(1);
            if (processes > 1 && most >= processes) {
                measure(place, records.getFirst(), draws.getFirst(), processes, most - most % processes);
            }
        }
    }

    private void measure(Place place, int each, String draw, int shared, int count) {
        String rest = ", " + each + " " + draw + (shared > 1 ? ", " + shared + " processes" : "");
        List<Contender> contenders = new ArrayList<>();
        SCALARDB.forEach((name, options) ->
                contenders.add(new ProcessCommits(name + rest, shared, scalarDb(each, draw, options))));
        contenders.add(new ProcessCommits("Penstock SERIALIZABLE" + rest, shared, penstock(each, draw)));
        for (Contender contender : contenders) {
            Commits measured = contender.measure(place, count, Duration.ofSeconds(seconds));
            err.printf("%s%n", measured);
            commits.add(measured);
        }
    }

    private ProcessCommits.Program scalarDb(int each, String draw, List<String> options) {
        Path source = SlateDbBench.file("--program", program);
        String path = text(SlateDbBench.file("--class-path", classPath));
        return (place, store, count) -> {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-Xmx768m",
                    "-cp",
                    path,
                    source.toString(),
                    Place.BUCKET,
                    store,
                    Integer.toString(count),
                    Integer.toString(each),
                    draw));
            command.addAll(options);
            ProcessBuilder process = new ProcessBuilder(command);
            process.environment().putAll(place.credentials());
            process.environment()
                    .put("AWS_ENDPOINT_URL_S3", place.proxy().address().toString());
            return process;
        };
    }

    private static ProcessCommits.Program penstock(int each, String draw) {
        return (place, store, count) -> {
            ProcessBuilder process = new ChildJvm()
                    .builder(
                            PenstockProgram.class,
                            List.of(
                                    place.proxy().address().toString(),
                                    Place.BUCKET,
                                    store,
                                    Integer.toString(count),
                                    Integer.toString(each),
                                    draw));
            process.environment().putAll(place.credentials());
            return process;
        };
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected Object report() {
        return commits;
    }

    @Override
    protected String table() {
        return Commits.table(commits);
    }
}
