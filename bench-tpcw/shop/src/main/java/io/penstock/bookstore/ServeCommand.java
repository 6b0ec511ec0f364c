package io.penstock.bookstore;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.aws.AwsOptions;
import io.penstock.bench.aws.AwsServers;
import io.penstock.bench.aws.LoopbackCredentials;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.core.StoreException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program {@code scripts/tpcw serve}: its options are those of the benchmark, and become Spring's properties. */
@Command(
        name = "tpcw serve",
        description = "Serves the bookstore on the loopback interface, until Ctrl-C.",
        sortOptions = false)
public final class ServeCommand implements Callable<Integer> {
    private static final int PORT_MAX = 65_535;
    private static final int KEY_BYTES_MIN = 16;

    private enum Cloud {
        LOCAL,
        AWS
    }

    @Option(names = "--cloud", description = "local: this machine; aws: S3 and SQS; default: local")
    private Cloud cloud = Cloud.LOCAL;

    @Option(names = "--port", paramLabel = "P", description = "0 for any that is free; default: 8080")
    private int port = 8080;

    @Option(names = "--level", paramLabel = "L", description = "${COMPLETION-CANDIDATES}; default: SERIALIZABLE")
    private ConsistencyLevel level = ConsistencyLevel.SERIALIZABLE;

    @Option(names = "--items", paramLabel = "N", description = "rows in ITEM of a new shop; default: 1000")
    private int items = 1_000;

    @Option(names = "--dir", paramLabel = "D", description = "local: keeps the shop there; default: in memory")
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

    ServeCommand(PrintStream out) {
        this.out = out;
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        Shell.runAndExit(
                (out, err) -> new Shell(out, err).run(new CommandLine(new ServeCommand(out)), () -> {}, arguments));
    }

    @Override
    public Integer call() throws InterruptedException {
        UsageException.requireRange("--port", port, 0, PORT_MAX);
        UsageException.requireRange("--items", items, Scale.ITEMS_MIN, Scale.ITEMS_MAX);
        try (ConfigurableApplicationContext shop = start()) {
            out.println("http://127.0.0.1:" + shop.getEnvironment().getProperty("local.server.port") + "/ at level "
                    + level + "; Ctrl-C ends it");
            new CountDownLatch(1).await();
        }
        return Shell.DONE;
    }

    private ConfigurableApplicationContext start() {
        String[] properties = properties().entrySet().stream()
                .map(property -> "--" + property.getKey() + "=" + property.getValue())
                .toArray(String[]::new);
        try {
            return SpringApplication.run(Bookstore.class, properties);
        } catch (RuntimeException failure) {
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                if (cause instanceof StoreException ofStore) {
                    throw ofStore;
                }
            }
            throw failure;
        }
    }

    private Map<String, String> properties() {
        Map<String, String> properties = new TreeMap<>();
        properties.put("logging.level.root", "error");
        properties.put("server.port", Integer.toString(port));
        properties.put("shop.items", Integer.toString(items));
        properties.put("penstock.level", level.name());
        properties.put("penstock.session-key", HexFormat.of().formatHex(key()));
        if (cloud == Cloud.AWS) {
            properties.putAll(servers());
            return properties;
        }
        String ofAws = aws.given();
        if (ofAws != null) {
            throw new UsageException(ofAws + " is for --cloud aws; leave it out, or use --cloud aws");
        }
        if (directory == null) {
            properties.put("penstock.in-memory", "true");
        } else {
            properties.put("penstock.directory", directory.toString());
        }
        return properties;
    }

    private Map<String, String> servers() {
        AwsServers servers = aws.servers();
        LoopbackCredentials.offerFor(servers);
        Map<String, String> properties = new TreeMap<>();
        properties.put("penstock.prefix", "bookshop");
        properties.put("penstock.bucket", servers.bucket());
        properties.put(
                "penstock.create-bucket", Boolean.toString(LoopbackCredentials.isLoopback(servers.endpointS3())));
        properties.put("penstock.path-style", Boolean.toString(servers.pathStyle()));
        putIfGiven(properties, "penstock.region", servers.region());
        putIfGiven(properties, "penstock.endpoint-s3", servers.endpointS3());
        properties.put("penstock.sqs", "true");
        putIfGiven(properties, "penstock.endpoint-sqs", servers.endpointSqs());
        return properties;
    }

    private static void putIfGiven(Map<String, String> properties, String name, @Nullable Object value) {
        if (value != null) {
            properties.put(name, value.toString());
        }
    }

    /** The shared key, or one for this server alone. */
    private byte[] key() {
        if (keyFile == null) {
            byte[] drawn = new byte[KEY_BYTES_MIN];
            new SecureRandom().nextBytes(drawn);
            return drawn;
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
        return key;
    }
}
