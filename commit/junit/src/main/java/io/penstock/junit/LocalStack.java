package io.penstock.junit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server of S3 and SQS on the loopback interface, for tests and trials: LocalStack, without a container. It keeps its
 * data in memory, and ends when it is closed or this process ends, however that does.
 *
 * <pre>{@code
 * try (LocalStack cloud = LocalStack.start();
 *         Penstock store = Penstock.open(Settings.from(cloud.properties("shop")))) { ... }
 * }</pre>
 *
 * <p>The first start of a user installs it from PyPI, below {@code $XDG_CACHE_HOME/penstock} or {@code
 * ~/.cache/penstock}, in about a minute. It needs bash and a Python 3.11, 3.12 or 3.13, so Linux, macOS or WSL. Safe
 * for use by many threads.
 */
public final class LocalStack implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalStack.class);

    /** The scripts of the project that install, start and end the server. */
    private static final List<String> SCRIPTS = List.of(
            "cloud",
            "lib/cloud/localstack.txt",
            "lib/cloud/run_localstack.py",
            "lib/cloud/servers.sh",
            "lib/cloud/tools.sh");

    private final Path script;
    private final Path folder;
    private final Map<String, String> served;

    private LocalStack(Path script, Path folder, Map<String, String> served) {
        this.script = script;
        this.folder = folder;
        this.served = served;
    }

    /**
     * Starts a server, on a free port. It takes any credentials; where neither the environment nor the system
     * properties of this process have some, this sets {@code aws.accessKeyId} and {@code aws.secretAccessKey}.
     *
     * @throws IllegalStateException when it cannot be installed or started; the message has the cause
     */
    public static LocalStack start() {
        return start(cache());
    }

    /** @param home of the installation */
    static LocalStack start(Path home) {
        try {
            LOG.info("starting LocalStack; the first time installs it, which takes a minute home={}", home);
            Path script = copyScripts(home);
            Path folder = Files.createTempDirectory("penstock-localstack");
            String owner = Long.toString(ProcessHandle.current().pid());
            Map<String, String> served;
            try {
                served = run(script, "up", "--folder", folder.toString(), "--owner", owner, "--port", "0");
            } catch (IOException | RuntimeException failure) {
                remove(folder);
                throw failure;
            }
            if (System.getenv("AWS_ACCESS_KEY_ID") == null && System.getProperty("aws.accessKeyId") == null) {
                System.setProperty("aws.accessKeyId", Objects.requireNonNull(served.get("access-key")));
                System.setProperty("aws.secretAccessKey", Objects.requireNonNull(served.get("secret-key")));
            }
            return new LocalStack(script, folder, served);
        } catch (IOException failure) {
            throw new IllegalStateException(
                    "LocalStack needs a folder that can be written, and bash; " + failure.getMessage(), failure);
        }
    }

    /** @param folder of a server that has ended; the log of one that did not start stays there, for its reader */
    private static void remove(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve("lock"));
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException hasLog) {
            LOG.info("the log of LocalStack is in {}", folder);
        }
    }

    private static Path cache() {
        String given = System.getenv("XDG_CACHE_HOME");
        Path cache =
                given == null || given.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(given);
        return cache.resolve("penstock");
    }

    /** Copies the scripts; other processes may do so at once, and run them, so each is replaced as a whole. */
    private static Path copyScripts(Path home) throws IOException {
        Path scripts = home.resolve("scripts");
        for (String name : SCRIPTS) {
            Path target = scripts.resolve(name);
            Files.createDirectories(Objects.requireNonNull(target.getParent()));
            Path part = Files.createTempFile(target.getParent(), ".", ".part");
            try (InputStream content =
                    Objects.requireNonNull(LocalStack.class.getResourceAsStream("scripts/" + name))) {
                Files.copy(content, part, StandardCopyOption.REPLACE_EXISTING);
            }
            boolean unused = part.toFile().setExecutable(true);
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        }
        return scripts.resolve("cloud");
    }

    /** Returns what the script prints as {@code name=value}; the last of its other lines says why it failed. */
    private static Map<String, String> run(Path script, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("bash", script.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        Map<String, String> served = new LinkedHashMap<>();
        String last = "";
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.matches("[a-z0-9-]+=.*")) {
                    served.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
                } else if (!line.isEmpty()) {
                    last = line.replaceFirst("^cloud: ", "");
                    LOG.debug(last);
                }
            }
            if (process.waitFor() != 0) {
                throw new IllegalStateException("LocalStack cannot be had: " + last);
            }
            return served;
        } catch (InterruptedException interrupted) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before LocalStack answered", interrupted);
        }
    }

    /** The address of S3 and of SQS, such as {@code http://127.0.0.1:23456}. */
    public String endpoint() {
        return Objects.requireNonNull(served.get("s3"));
    }

    /**
     * Settings by name of a store in a bucket here, which it makes: for {@code Settings.from}, or as properties of
     * Penstock's starter. With {@code penstock.endpoint-sqs} besides, which is {@link #endpoint}, it has queues.
     */
    public Map<String, String> properties(String bucket) {
        return Map.of(
                "penstock.bucket",
                bucket,
                "penstock.create-bucket",
                "true",
                "penstock.endpoint",
                endpoint(),
                "penstock.path-style",
                "true",
                "penstock.region",
                Objects.requireNonNull(served.get("region")));
    }

    /** Ends the server, with all that it keeps. A second call does nothing. */
    @Override
    public synchronized void close() {
        try {
            if (Files.exists(folder)) {
                Map<String, String> unused = run(script, "down", "--wipe", "--folder", folder.toString());
                remove(folder);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
