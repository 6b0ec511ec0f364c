package io.penstock.bench.commits;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Program;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.LatencyProxy;
import io.penstock.testing.RealServers;
import io.penstock.testkit.Profile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program behind {@code scripts/bench slatedb}. */
@Command(
        name = "bench slatedb",
        description =
                "Compares durable commits of Penstock and SlateDB on LocalStack, behind a proxy with the latencies"
                        + " of AWS. The clock is the machine's: leave it alone meanwhile.",
        sortOptions = false)
public final class SlateDbBench extends Program {
    private static final List<Profile> PROFILES = List.of(Profile.AWS_2026, Profile.EXPRESS_2026);

    /** The callers among whom the best flush interval is looked for. */
    private static final int SEARCH_CALLERS = 16;

    private static final int SECONDS_MAX = 3_600;
    private static final double SECONDS_PER_MONTH = 30 * 24 * 3_600.0;
    private static final Duration SETTLE = Duration.ofSeconds(60);

    @Option(
            names = "--python",
            paramLabel = "FILE",
            description = "a Python with SlateDB's package; scripts/bench installs one")
    private @Nullable Path python;

    @Option(names = "--program", paramLabel = "FILE", description = "slatedb_commits.py")
    private @Nullable Path program;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "seconds of each measurement; default: ${DEFAULT-VALUE}")
    private int seconds = 10;

    @Option(names = "--callers", split = ",", description = "callers at a time; default: ${DEFAULT-VALUE}")
    private List<Integer> callers = List.of(1, 16, 64);

    @Option(
            names = "--flush",
            split = ",",
            description = "SlateDB's flush intervals; the one with the lowest p50 is used; default: ${DEFAULT-VALUE}")
    private List<String> flushes = List.of("1ms", "5ms", "20ms", "50ms");

    @Option(
            names = "--idle",
            paramLabel = "N",
            description = "idle seconds that are counted; 0 for none; default: ${DEFAULT-VALUE}")
    private int idle = 120;

    @Mixin
    private JsonTarget json = new JsonTarget();

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(new SlateDbBench(), arguments);
    }

    /** What a store asks that nobody uses. */
    record Idle(String profile, String program, double requestsPerMinute, double dollarsPerMonth) {}

    record Report(List<Commits> commits, List<Idle> idle) {}

    @Override
    public Integer call() {
        UsageException.requireRange("--seconds", seconds, 1, SECONDS_MAX);
        UsageException.requireRange("--idle", idle, 0, SECONDS_MAX);
        callers.forEach(count -> UsageException.requireRange("--callers", count, 1, 1_000));
        json.check();
        Report report = new Report(new ArrayList<>(), new ArrayList<>());
        for (Profile profile : PROFILES) {
            try (Place place = Place.open(profile, RealServers.localstack())) {
                measure(place, report);
            }
        }
        json.write(report, tables(report), out);
        return Shell.DONE;
    }

    private void measure(Place place, Report report) {
        place.servers().connect(new ThreadTasks()).close();
        String best = bestFlush(place);
        List<Contender> contenders = new ArrayList<>(List.of(
                slateDb(null, false),
                slateDb(best, false),
                slateDb(best, true),
                new PenstockCommits(ConsistencyLevel.ATOMIC, false, false),
                new PenstockCommits(ConsistencyLevel.SERIALIZABLE, false, false),
                new PenstockCommits(ConsistencyLevel.SERIALIZABLE, true, false)));
        if (place.profile() != Profile.EXPRESS_2026) {
            contenders.add(new PenstockCommits(ConsistencyLevel.SERIALIZABLE, true, true));
        }
        for (int count : callers) {
            for (Contender contender : contenders) {
                report.commits.add(say(contender.measure(place, count, Duration.ofSeconds(seconds))));
            }
        }
        // What a store at rest asks is the same at any latency.
        if (idle > 0 && place.profile() == PROFILES.getFirst()) {
            for (Contender contender : List.of(contenders.get(0), contenders.get(3), contenders.get(5))) {
                report.idle.add(idle(place, contender));
            }
        }
    }

    private Contender slateDb(@Nullable String flush, boolean transact) {
        Path interpreter = file("--python", python);
        Path script = file("--program", program);
        String name = "SlateDB, flush " + (flush == null ? "by default" : flush);
        return new ProcessCommits(transact ? name + ", reads and writes" : name, 1, (place, store, count) -> {
            ProcessBuilder process = new ProcessBuilder(
                    interpreter.toString(),
                    script.toString(),
                    Place.BUCKET,
                    store,
                    Integer.toString(count),
                    transact ? "serializable" : "put",
                    flush == null ? "default" : flush);
            process.environment()
                    .putAll(Map.of("AWS_ENDPOINT", place.proxy().address().toString(), "AWS_ALLOW_HTTP", "true"));
            process.environment().putAll(place.credentials());
            return process;
        });
    }

    static Path file(String option, @Nullable Path value) {
        if (value == null || !Files.isReadable(value)) {
            throw new UsageException(option + " names no file that can be read; scripts/bench gives it");
        }
        return value;
    }

    private String bestFlush(Place place) {
        record Tried(String flush, double p50Millis) {}
        return flushes.stream()
                .map(flush -> new Tried(
                        flush,
                        say(slateDb(flush, false).measure(place, SEARCH_CALLERS, Duration.ofSeconds(seconds)))
                                .p50Millis()))
                .min(Comparator.comparingDouble(Tried::p50Millis))
                .orElseThrow(() -> new UsageException("--flush names no interval"))
                .flush();
    }

    private Commits say(Commits commits) {
        err.printf("%s%n", commits);
        return commits;
    }

    private Idle idle(Place place, Contender contender) {
        try (Contender.Store store = contender.open(place, 1)) {
            store.warm();
            var unused = store.commits(Duration.ofSeconds(1));
            pause(SETTLE);
            LatencyProxy.Bill before = place.bill();
            pause(Duration.ofSeconds(idle));
            LatencyProxy.Bill bill = place.bill().since(before);
            return new Idle(
                    place.profile().name(),
                    contender.name(),
                    bill.count() * 60.0 / idle,
                    bill.dollars() / idle * SECONDS_PER_MONTH);
        }
    }

    private static void pause(Duration length) {
        try {
            TimeUnit.NANOSECONDS.sleep(length.toNanos());
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static String tables(Report report) {
        StringBuilder text = new StringBuilder(Commits.table(report.commits));
        if (!report.idle.isEmpty()) {
            text.append("\n| profile | idle | requests a minute | $ a month |\n|---|---|---|---|\n");
            for (Idle one : report.idle) {
                text.append("| %s | %s | %.1f | %.2f |%n"
                        .formatted(one.profile, one.program, one.requestsPerMinute, one.dollarsPerMonth));
            }
        }
        return text.toString();
    }
}
