package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testing.FaultProxy.Plug;
import io.penstock.testing.RealServers;
import io.penstock.testing.UnreliableServers;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Thousands of commits that fail, each with 16 KiB of payload, in a process with less memory than they would fill: it
 * lives, and goes on when the servers are back.
 */
@Tag("servers")
@Tag("long")
class OutageMemoryTest {
    private static final int FAILED_MIN = 5_000;
    private static final String HEAP = "-Xmx80m";

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void memoryIsBoundedWhileServersAreAway() throws IOException, InterruptedException {
        try (UnreliableServers servers = new UnreliableServers(RealServers.localstack(), 1)) {
            Process client = start(servers);
            try (BufferedReader lines = client.inputReader()) {
                assertThat(lines.readLine()).isEqualTo("ready");
                servers.setPlug(Plug.REFUSING);
                assertThat(awaitFailures(lines)).isGreaterThanOrEqualTo(FAILED_MIN);
                servers.setPlug(Plug.IN);
                client.outputWriter().append("back\n").close();
                assertThat(lines.lines().filter(line -> !line.startsWith("failed ")))
                        .containsExactly("committed", "closed");
                assertThat(client.waitFor()).isZero();
            } finally {
                client.destroyForcibly();
            }
        }
    }

    private static Process start(UnreliableServers servers) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        HEAP,
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OutageWorkload.class.getName(),
                        servers.endpoint().s3().toString(),
                        String.valueOf(servers.endpoint().sqs()),
                        "m" + Long.toHexString(System.nanoTime()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Returns the number of failed commits once it is high enough, or when the process ended. */
    private static int awaitFailures(BufferedReader lines) throws IOException {
        int failed = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            failed = Integer.parseInt(line.substring("failed ".length()));
            if (failed >= FAILED_MIN) {
                break;
            }
        }
        return failed;
    }
}
