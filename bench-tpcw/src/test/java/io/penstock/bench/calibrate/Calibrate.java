package io.penstock.bench.calibrate;

import io.penstock.bench.aws.AwsOptions;
import io.penstock.bench.aws.AwsServers;
import io.penstock.bench.program.Benchmark;
import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Program;
import io.penstock.bench.program.TemporaryDirectory;
import io.penstock.bench.tpcw.run.Prices;
import io.penstock.bench.tpcw.run.Profiles;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.core.StoreException;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program of {@code scripts/bench calibrate}. */
@Command(
        name = "bench calibrate",
        description = "Measures the requests of a store on a cloud of yours, writes a profile for the options --profile"
                + " and --prices, and checks that the simulation reproduces it. Everything is removed afterwards.",
        sortOptions = false)
public final class Calibrate extends Program {
    private static final int REQUESTS_MAX = 10_000;

    /** The calls of each load in the simulation, at least: the 99th percentile of fewer is a matter of luck. */
    private static final int SIMULATED_CALLS = 10_000;

    private static final int WARM_UP = 10;
    private static final double DIFFERENCE_MAX = 0.1;
    private static final long SEED = 1;

    /** A place to measure. */
    private enum Cloud {
        AWS("", "aws-2026"),
        GCS("gs://", "gcs-2026"),
        AZURE("azblob://", "azure-2026"),
        LOCAL("", "free");

        private final String scheme;
        private final String prices;

        Cloud(String scheme, String prices) {
            this.scheme = scheme;
            this.prices = prices;
        }
    }

    @Option(
            names = "--cloud",
            required = true,
            description = "${COMPLETION-CANDIDATES}; AWS is any server of S3, LOCAL a directory")
    private Cloud cloud = Cloud.AWS;

    @Mixin
    private AwsOptions servers = new AwsOptions();

    @Option(names = "--sqs", description = "measures a queue of SQS too; so does --endpoint-sqs")
    private boolean sqs;

    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "of each kind and size with so many under way; default: ${DEFAULT-VALUE}")
    private int requests = 100;

    @Option(
            names = "--prices",
            paramLabel = "P",
            description = "a list as scripts/tpcw cost takes it; default: the cloud's, free with --endpoint")
    private @Nullable String prices;

    @Option(names = "--out", paramLabel = "FILE", description = "writes the profile; with - to standard output")
    private @Nullable String file;

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(new Calibrate(), arguments);
    }

    @Override
    public Integer call() {
        UsageException.requireRange("--requests", requests, 1, REQUESTS_MAX);
        JsonTarget target = JsonTarget.of("--out", file);
        target.check();
        Prices list = Prices.of(prices == null ? standardPrices() : prices);
        try {
            Measured measured = cloud == Cloud.LOCAL ? local(list) : remote(list);
            return report(measured, list, target);
        } catch (Benchmark.FailedException failure) {
            return failed(String.valueOf(failure.getMessage()));
        }
    }

    private String standardPrices() {
        return servers.endpoint() == null ? cloud.prices : "free";
    }

    private Measured local(Prices list) {
        String given = sqs ? "--sqs" : servers.given();
        if (given != null) {
            throw new UsageException(given + " is of the other clouds; leave it out with --cloud local");
        }
        ThreadTasks tasks = new ThreadTasks();
        try (TemporaryDirectory directory = new TemporaryDirectory();
                LocalCloud local = LocalCloud.open(directory.path(), tasks)) {
            return measure(new Place(local.objects(), local.queues(), tasks, "calibrate"), list);
        }
    }

    private Measured remote(Prices list) {
        AwsServers place = servers.servers();
        ThreadTasks tasks = new ThreadTasks();
        String name = place.bucket().startsWith(cloud.scheme) ? place.bucket() : cloud.scheme + place.bucket();
        String prefix = "calibrate-" + Integer.toHexString(tasks.random().nextInt());
        try (ObjectStore objects = place.objects(name);
                QueueService queues = sqs || place.endpointSqs() != null ? place.queues(tasks) : null) {
            return measure(new Place(objects, queues, tasks, prefix), list);
        }
    }

    /** Measures a place, and removes what it made there, also when the process is told to end meanwhile. */
    private Measured measure(Place place, Prices list) {
        List<Load> loads = Load.all(requests, place.queues() != null);
        sayPrice(loads, list);
        CountDownLatch removed = new CountDownLatch(1);
        Probe probe = place.probe();
        Thread atExit = Thread.ofPlatform().unstarted(() -> {
            err.println("bench calibrate: interrupted; removing what was made, a moment ...");
            probe.stop();
            awaitQuietly(removed);
        });
        Runtime.getRuntime().addShutdownHook(atExit);
        try {
            return measure(probe, loads);
        } finally {
            progress.end();
            remove(place);
            removed.countDown();
            removeHook(atExit);
        }
    }

    private void remove(Place place) {
        try {
            place.remove();
        } catch (StoreException failure) {
            err.println("bench calibrate: left behind: what is named " + place.name() + ", because "
                    + failure.getMessage());
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            // The process ends.
        }
    }

    private static void removeHook(Thread atExit) {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException exiting) {
            // The hook runs, and has been told.
        }
    }

    private void sayPrice(List<Load> loads, Prices list) {
        int beside = Probe.writesBeside(loads);
        double dollars = beside * list.requests().s3Put()
                + loads.stream()
                        .mapToDouble(load -> load.dollars(list.requests()))
                        .sum();
        err.printf(
                Locale.ROOT,
                "bench calibrate: %,d requests, $%.2f at the prices %s; all is removed afterwards%n",
                beside + loads.stream().mapToInt(Load::requests).sum(),
                Math.ceil(dollars * 100) / 100,
                list.name());
    }

    private Measured measure(Probe probe, List<Load> loads) {
        progress.begin("measuring", loads.size());
        Measured measured = new Measured();
        probe.prepare();
        // The JVM is warm, then.
        loads.stream()
                .filter(load -> load.underWay() == 1)
                .forEach(load -> probe.measure(new Load(load.call(), load.bytes(), 1, WARM_UP)));
        for (Load load : loads) {
            measured.add(load, probe.measure(load));
            progress.advance(1);
        }
        return measured;
    }

    private int report(Measured measured, Prices list, JsonTarget target) {
        Profiles.Content content = measured.content(profileName(), source(), list);
        Measured simulated = simulate(content.profile("measured"), measured.loads());
        double difference = measured.difference(simulated);
        target.write(
                content,
                measured.table(simulated)
                        + String.format(
                                Locale.ROOT,
                                "%nlargest difference of a simulated p50 or p99 to the measured: %.1f %% (limit: 10)%n",
                                100 * difference),
                out);
        return difference <= DIFFERENCE_MAX ? Shell.DONE : failed("the simulation does not reproduce the measurement");
    }

    private String profileName() {
        Path path = Path.of(file == null || file.equals("-") ? "measured" : file);
        return String.valueOf(path.getFileName()).replaceFirst("\\.json$", "");
    }

    private String source() {
        return "scripts/bench calibrate --cloud " + cloud.name().toLowerCase(Locale.ROOT) + ", "
                + Instant.ofEpochMilli(new ThreadTasks().nowMillis());
    }

    /** Does the loads on a simulated cloud of this profile, many times over. */
    static Measured simulate(Profile profile, List<Load> loads) {
        Measured simulated = new Measured();
        Simulation simulation = new Simulation(SEED);
        SimulatedClient machine = simulation.client("probe");
        SimulatedCloud cloud = new SimulatedCloud(simulation, profile, World.CALM);
        return simulation.run(() -> {
            Probe probe = new Place(cloud.objects(machine), cloud.queues(machine), machine, "probe").probe();
            probe.prepare();
            int rounds = Math.ceilDiv(SIMULATED_CALLS, loads.getFirst().count());
            for (int round = 0; round < rounds; round++) {
                loads.forEach(load -> simulated.add(load, probe.measure(load)));
            }
            return simulated;
        });
    }
}
