package io.penstock.bench.experiment.http;

import io.penstock.bench.program.Program;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.s3.S3ObjectStore;
import io.penstock.core.object.s3.S3Settings;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** The program behind {@code scripts/bench http}: GETs by each HTTP client, in turns, against one server. */
@Command(
        name = "bench http",
        description = "Compares the SDK's HTTP clients under the object store: MB/s, CPU seconds of the client per GB.",
        sortOptions = false)
public final class HttpBench extends Program {
    private static final int OBJECTS = 64;
    private static final double NANOS = 1e9;
    private static final double MEGA = 1e6;
    private static final double GIGA = 1e9;

    @Option(names = "--endpoint-s3", paramLabel = "URI", description = "the server; scripts/bench starts one")
    private @Nullable URI endpoint;

    @Option(names = "--access-key", paramLabel = "K", description = "default: ${DEFAULT-VALUE}")
    private String accessKey = "test";

    @Option(names = "--secret-key", paramLabel = "K", description = "default: ${DEFAULT-VALUE}")
    private String secretKey = "test";

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "seconds for each cell and round; default: ${DEFAULT-VALUE}")
    private double seconds = 1;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "rounds of all clients in turn; default: ${DEFAULT-VALUE}")
    private int rounds = 3;

    @Option(names = "--depths", split = ",", description = "requests at a time; default: ${DEFAULT-VALUE}")
    private List<Integer> depths = List.of(1, 16, 64);

    @Option(names = "--sizes", split = ",", description = "KiB of an object; default: ${DEFAULT-VALUE}")
    private List<Integer> sizes = List.of(64, 256);

    private HttpBench(PrintStream out, PrintStream err) {
        super(out, err);
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(HttpBench::new, arguments);
    }

    /** Totals of one client at one depth and size, over all rounds. */
    private static final class Cell {
        long bytes;
        long nanos;
        long cpuNanos;

        String text() {
            return String.format(
                    Locale.ROOT, "%.0f; %.1f", bytes / MEGA / (nanos / NANOS), cpuNanos / NANOS / (bytes / GIGA));
        }
    }

    @Override
    public Integer call() {
        URI server = endpoint;
        if (server == null) {
            throw new UsageException("no server is given; name one with --endpoint-s3");
        }
        if (seconds <= 0 || rounds < 1) {
            throw new UsageException("--seconds must be above 0, and --rounds at least 1");
        }
        Target target = new Target(
                server,
                "penstock-http",
                StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey)));
        for (int kib : sizes) {
            fill(target, kib);
            printTable(target, kib);
        }
        printShares(target, sizes.getLast());
        return Shell.DONE;
    }

    private static void fill(Target target, int kib) {
        try (ObjectStore store = S3ObjectStore.open(S3Settings.bucket(target.bucket())
                .endpoint(target.endpoint())
                .pathStyle(true)
                .createBucket(true)
                .credentials(target.credentials()))) {
            for (int i = 0; i < OBJECTS; i++) {
                store.put(key(kib, i), Bytes.wrap(new byte[kib << 10]), WriteCondition.ALWAYS);
            }
        }
    }

    private static String key(int kib, int number) {
        return "http/" + kib + "/" + number;
    }

    private void printTable(Target target, int kib) {
        out.printf("GETs of %d KiB: MB/s; CPU seconds of the client per GB%n", kib);
        out.println("| client | "
                + String.join(" | ", depths.stream().map(d -> "depth " + d).toList()) + " |");
        out.println("|---|" + "---|".repeat(depths.size()));
        Cell[][] cells = new Cell[HttpClientKind.values().length][depths.size()];
        for (int round = 0; round <= rounds; round++) {
            for (HttpClientKind kind : HttpClientKind.values()) {
                measureAll(target, kib, kind, cells[kind.ordinal()], round == 0);
            }
        }
        for (HttpClientKind kind : HttpClientKind.values()) {
            List<String> texts = new ArrayList<>();
            for (Cell cell : cells[kind.ordinal()]) {
                texts.add(cell.text());
            }
            out.println("| " + kind + " | " + String.join(" | ", texts) + " |");
        }
    }

    /** The first round warms up and does not count. */
    private void measureAll(Target target, int kib, HttpClientKind kind, Cell[] cells, boolean warmup) {
        try (Fetcher fetcher = kind.open(target)) {
            for (int i = 0; i < cells.length; i++) {
                Cell cell = warmup ? new Cell() : cells[i];
                measure(fetcher, kib, depths.get(i), cell);
                cells[i] = warmup ? new Cell() : cell;
            }
        }
    }

    private void measure(Fetcher fetcher, int kib, int depth, Cell cell) {
        LongAdder bytes = new LongAdder();
        long cpu = cpuNanos();
        long start = System.nanoTime();
        long end = start + (long) (seconds * NANOS);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < depth; t++) {
            int first = t;
            threads.add(Thread.ofVirtual().start(() -> {
                for (int i = first; System.nanoTime() < end; i++) {
                    bytes.add(fetcher.fetch(key(kib, i % OBJECTS)));
                }
            }));
        }
        threads.forEach(HttpBench::join);
        cell.nanos += System.nanoTime() - start;
        cell.cpuNanos += cpuNanos() - cpu;
        cell.bytes += bytes.sum();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    /** Prints how the default client's Java code spends its time. */
    private void printShares(Target target, int kib) {
        try (Fetcher fetcher = HttpClientKind.URL_CONNECTION.open(target);
                CpuShares shares = new CpuShares()) {
            measure(fetcher, kib, 16, new Cell());
            Map<String, Long> counts = shares.stop();
            long all = Math.max(
                    1, counts.values().stream().mapToLong(Long::longValue).sum());
            out.printf(
                    "%s, %d KiB, depth 16: %d samples of running Java code%n", HttpClientKind.URL_CONNECTION, kib, all);
            counts.forEach((part, count) -> out.printf(Locale.ROOT, "| %s | %.0f %% |%n", part, 100.0 * count / all));
        }
    }
}
