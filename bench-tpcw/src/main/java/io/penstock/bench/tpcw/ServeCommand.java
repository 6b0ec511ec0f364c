package io.penstock.bench.tpcw;

import io.penstock.ConsistencyLevel;
import io.penstock.Settings;
import io.penstock.bench.aws.AwsOptions;
import io.penstock.bench.aws.AwsServers;
import io.penstock.bench.program.Progress;
import io.penstock.bench.program.TemporaryDirectory;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.bench.tpcw.shop.ShopProgram;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testkit.Profile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tpcw serve}: the bookstore as a web application, until Ctrl-C. */
@Command(
        name = "serve",
        description = "Serves the bookstore on the loopback interface, until Ctrl-C.",
        sortOptions = false)
final class ServeCommand implements Callable<Integer> {
    private static final int PORT_MAX = 65_535;
    private static final int KEY_BYTES_MIN = 16;
    private static final String PREFIX = "bookshop";

    private enum Cloud {
        LOCAL,
        AWS
    }

    @Option(names = "--cloud", description = "local: a directory; aws: S3 and SQS; default: local")
    private Cloud cloud = Cloud.LOCAL;

    @Option(names = "--port", paramLabel = "P", description = "0 for any that is free; default: 8080")
    private int port = 8080;

    @Option(names = "--level", paramLabel = "L", description = "${COMPLETION-CANDIDATES}; default: ATOMIC")
    private ConsistencyLevel level = ConsistencyLevel.ATOMIC;

    @Option(names = "--items", paramLabel = "N", description = "rows in ITEM of a new shop; default: 1000")
    private int items = 1_000;

    @Option(names = "--dir", paramLabel = "D", description = "local: keeps the shop there; default: a temporary one")
    private @Nullable Path directory;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description =
                    "16 random bytes or more that the servers of one shop share: visitors go from one to the other")
    private @Nullable Path keyFile;

    @Mixin
    private AwsOptions aws = new AwsOptions();

    private final PrintStream out;
    private final Progress progress;
    private final Tasks tasks = new ThreadTasks();

    ServeCommand(PrintStream out, Progress progress) {
        this.out = out;
        this.progress = progress;
    }

    @Override
    public Integer call() throws InterruptedException {
        UsageException.requireRange("--port", port, 0, PORT_MAX);
        String ofAws = aws.given();
        if (cloud == Cloud.LOCAL && ofAws != null) {
            throw new UsageException(ofAws + " is for --cloud aws; leave it out, or use --cloud aws");
        }
        Optional<byte[]> key = key();
        Population population = new Population(1, new Scale(1, items));
        return switch (cloud) {
            case LOCAL -> local(population, key);
            case AWS -> {
                AwsServers servers = aws.servers();
                try (AwsServers.Connection connection = servers.connect(tasks)) {
                    yield serve(Settings.on(connection.objects(), connection.queues(), tasks), population, key);
                }
            }
        };
    }

    private Optional<byte[]> key() {
        if (keyFile == null) {
            return Optional.empty();
        }
        byte[] key;
        try {
            key = Files.readAllBytes(keyFile);
        } catch (IOException e) {
            throw new UsageException("--key-file " + keyFile + " cannot be read; name a file with random bytes");
        }
        if (key.length < KEY_BYTES_MIN) {
            throw new UsageException(
                    "--key-file " + keyFile + " has fewer than " + KEY_BYTES_MIN + " bytes; draw more");
        }
        return Optional.of(key);
    }

    private int local(Population population, Optional<byte[]> key) throws InterruptedException {
        if (directory != null) {
            return local(directory, population, key);
        }
        try (TemporaryDirectory temporary = new TemporaryDirectory()) {
            return local(temporary.path(), population, key);
        }
    }

    private int local(Path where, Population population, Optional<byte[]> key) throws InterruptedException {
        try (LocalCloud local = LocalCloud.open(where, tasks)) {
            return serve(Settings.on(local.objects(), local.queues(), tasks), population, key);
        }
    }

    private int serve(Settings settings, Population population, Optional<byte[]> key) throws InterruptedException {
        progress.begin("filling the shop", population.rows());
        Settings shop = settings.prefix(PREFIX).level(level);
        try (ShopProgram program =
                new ShopProgram(shop, tasks, population, port, Profile.AWS_2026.prices(), key, progress::advance)) {
            progress.end();
            out.println("http://127.0.0.1:" + program.port() + "/ at level " + level + "; Ctrl-C ends it");
            CountDownLatch ended = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(program::close));
            ended.await();
        }
        return Shell.DONE;
    }
}
