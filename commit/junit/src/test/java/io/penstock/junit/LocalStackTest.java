package io.penstock.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.testing.RealServers;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server that programs start for their own tests. It is installed where the checkout's is. */
@Tag("servers")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LocalStackTest {
    @TempDir
    private static Path home;

    /** Makes the installation of the checkout that of {@link #home}; skips the test where there is none. */
    @BeforeAll
    static void install() throws IOException {
        var unused = RealServers.localstack();
        Path checkout = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(checkout.resolve(".cloud/tools"))) {
            checkout = checkout.getParent();
        }
        Files.createSymbolicLink(
                Files.createDirectory(home.resolve(".cloud")).resolve("tools"), checkout.resolve(".cloud/tools"));
    }

    private static RecordCollection<String, String> words(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    private static void connect(String endpoint) throws IOException {
        URI address = URI.create(endpoint);
        new Socket(address.getHost(), address.getPort()).close();
    }

    private static boolean answers(String endpoint) throws IOException {
        try {
            connect(endpoint);
            return true;
        } catch (ConnectException refused) {
            return false;
        }
    }

    /** A killed process gives its port back a little later; that it never does is for the test's time-out. */
    private static void awaitEnd(String endpoint) throws Exception {
        while (answers(endpoint)) {
            Thread.sleep(Duration.ofMillis(100));
        }
    }

    @Test
    void keepsStoresWithAndWithoutQueuesUntilItIsClosed() throws Exception {
        String endpoint;
        try (LocalStack cloud = LocalStack.start(home)) {
            endpoint = cloud.endpoint();
            Map<String, String> queued = new TreeMap<>(cloud.properties("queued"));
            queued.put("penstock.endpoint-sqs", endpoint);
            queued.put("penstock.level", "ATOMIC");
            for (Map<String, String> place : List.of(cloud.properties("alone"), queued)) {
                try (Penstock writer = Penstock.open(Settings.from(place));
                        Penstock reader = Penstock.open(Settings.from(place))) {
                    words(writer).put("a", "alpha");
                    writer.flush();
                    var unused = writer.admin().checkpoint();
                    assertThat(words(reader).get("a")).contains("alpha");
                }
            }
            assertThat(answers(endpoint)).isTrue();
        }
        awaitEnd(endpoint);
    }

    /** The program: starts a server below the folder of the argument, says where, and waits for its end. */
    public static void main(String[] arguments) throws IOException {
        System.out.println(LocalStack.start(Path.of(arguments[0])).endpoint());
        System.out.flush();
        int unused = System.in.read();
    }

    private static ProcessBuilder program(Path home) {
        return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                LocalStackTest.class.getName(),
                home.toString());
    }

    @Test
    void endsWithAProcessThatIsKilled() throws Exception {
        Process process =
                program(home).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String endpoint;
        try (BufferedReader said = process.inputReader()) {
            endpoint = said.readLine();
            assertThat(answers(endpoint)).isTrue();
        } finally {
            boolean unused = process.toHandle().destroyForcibly();
            process.waitFor();
        }
        awaitEnd(endpoint);
    }

    @Test
    void saysInOneLineWhyItCannotBeHad(@TempDir Path empty) throws Exception {
        Path file = Files.createFile(empty.resolve("file"));
        assertThatThrownBy(() -> LocalStack.start(file))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("LocalStack needs a folder that can be written, and bash; ");
        Path full = Files.createDirectory(empty.resolve("full"));
        Files.createFile(full.resolve(".cloud"));
        assertThatThrownBy(() -> LocalStack.start(full))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("LocalStack cannot be had: mkdir: ");
        ProcessBuilder withoutBash = program(empty);
        withoutBash.environment().put("PATH", empty.toString());
        Process process = withoutBash.redirectErrorStream(true).start();
        try (BufferedReader said = process.inputReader()) {
            assertThat(said.lines())
                    .anyMatch(line -> line.contains("LocalStack needs a folder that can be written, and bash; "));
        }
        assertThat(process.waitFor()).isNotZero();
    }
}
