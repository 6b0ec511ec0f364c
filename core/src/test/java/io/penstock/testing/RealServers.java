package io.penstock.testing;

import static org.junit.jupiter.api.Assumptions.abort;

import io.penstock.testing.CloudScript.Result;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Real servers of S3 and SQS, and emulators of other clouds, on the loopback interface, one of each kind for all tests
 * of this JVM; tests that use them are tagged {@code servers}. A server is taken from the system property {@code
 * penstock.localstack}, {@code penstock.versitygw}, {@code penstock.minio}, {@code penstock.fake-gcs-server} or {@code
 * penstock.azurite} (its address), or started by {@code scripts/cloud}, and then ends with this JVM.
 *
 * <p>A test is skipped, with the reason, when the server is not installed and {@code -Dpenstock.offline=true} forbids
 * to install it, and when it asks for versitygw or MinIO without {@code -Dpenstock.servers=all}; otherwise a server
 * that cannot be had fails it. Threads may share it.
 */
public final class RealServers {
    /**
     * Where servers answer, on the loopback interface and without TLS; region {@code us-east-1}, path style.
     *
     * @param sqs null where only S3 is served
     */
    public record Endpoint(URI s3, @Nullable URI sqs, String accessKey, String secretKey) {
        public static final String REGION = "us-east-1";

        static Endpoint of(Result up) {
            Map<String, String> lines = up.output()
                    .lines()
                    .filter(line -> line.matches("[a-z0-9-]+=.*"))
                    .collect(Collectors.toMap(
                            line -> line.substring(0, line.indexOf('=')),
                            line -> line.substring(line.indexOf('=') + 1)));
            String sqs = lines.get("sqs");
            return new Endpoint(
                    URI.create(lines.get("s3")),
                    sqs == null ? null : URI.create(sqs),
                    lines.get("access-key"),
                    lines.get("secret-key"));
        }

        /** The same server behind another address, a {@link FaultProxy}'s for example. */
        public Endpoint at(URI s3Address, @Nullable URI sqsAddress) {
            return new Endpoint(s3Address, sqsAddress, accessKey, secretKey);
        }
    }

    private sealed interface Found {}

    private record Running(Endpoint endpoint) implements Found {}

    private record Skipped(String reason) implements Found {}

    private record Failed(String reason) implements Found {}

    private static final Map<String, Found> SERVERS = new ConcurrentHashMap<>();

    private RealServers() {}

    /** LocalStack: S3 and SQS at one address. */
    public static Endpoint localstack() {
        return server("localstack");
    }

    /** versitygw, which keeps objects as files: S3 only. */
    public static Endpoint versitygw() {
        return server("versitygw");
    }

    /** MinIO: S3 only. */
    public static Endpoint minio() {
        return server("minio");
    }

    /** fake-gcs-server, an emulator of Google Cloud Storage that takes any credentials. */
    public static Endpoint gcs() {
        return server("fake-gcs-server");
    }

    /** Azurite, an emulator of Azure Blob Storage. */
    public static Endpoint azurite() {
        return server("azurite");
    }

    private static Endpoint server(String name) {
        return switch (SERVERS.computeIfAbsent(name, RealServers::find)) {
            case Running running -> running.endpoint();
            case Skipped skipped -> abort(skipped.reason());
            case Failed failed -> throw new AssertionError(failed.reason());
        };
    }

    private static Found find(String name) {
        String address = System.getProperty("penstock." + name);
        if (address != null) {
            URI uri = URI.create(address);
            return new Running(new Endpoint(uri, isLocalstack(name) ? uri : null, "penstock", "penstock-secret"));
        }
        if (List.of("versitygw", "minio").contains(name) && !"all".equals(System.getProperty("penstock.servers"))) {
            return new Skipped(name + " was not asked for; scripts/test --servers all does");
        }
        Path folder = Path.of("target", "servers-" + ProcessHandle.current().pid(), name);
        Result up = CloudScript.up(folder, options(name));
        if (up.code() == 0) {
            return new Running(Endpoint.of(up));
        }
        return CloudScript.OFFLINE && up.code() == Result.MISSING ? new Skipped(up.reason()) : new Failed(up.reason());
    }

    /** Options of {@code scripts/cloud up} that start this server alone, on a free port. */
    static String[] options(String name) {
        return isLocalstack(name)
                ? new String[] {"--port", "0"}
                : new String[] {"--s3", name, "--sqs", "none", "--port-s3", "0"};
    }

    private static boolean isLocalstack(String name) {
        return name.equals("localstack");
    }
}
