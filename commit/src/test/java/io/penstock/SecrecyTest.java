package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testing.FaultMix;
import io.penstock.testing.RealServers;
import io.penstock.testing.RealServers.Endpoint;
import io.penstock.testing.UnreliableServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No byte of a key, of a payload or of a secret access key gets into a log or an exception, whatever is logged and
 * whatever fails: a client does all that a store can do on a server behind a proxy, and what it writes is searched.
 */
@Tag("servers")
class SecrecyTest {
    private static final String KEY = "PlantedRecordKey";
    private static final String PAYLOAD = "PlantedPayloadText";
    /** The access key id, which is no secret: requests carry it. */
    private static final String ACCESS = "PLANTEDACCESS";

    private static final String SECRET = "PlantedSecretAccessKey";

    @TempDir
    Path directory;

    @Test
    void nothingSecretIsLoggedAtAnyLevel() throws IOException, InterruptedException {
        String written = run();

        // What is searched is what was written: our loggers, the SDK's and the JDK's, and exceptions of all kinds.
        // The last is what the JDK's client tells: all fields of all requests.
        for (String expected : List.of(
                "done",
                "io.penstock.core.UnavailableException",
                "io.penstock.core.InvalidRequestException",
                "io.penstock.core.CorruptDataException",
                "TRACE software.amazon.awssdk",
                "WARN io.penstock",
                "DeadLetterStore",
                "Credential=" + ACCESS)) {
            assertThat(written.contains(expected)).as(expected).isTrue();
        }
        for (String planted : List.of(KEY, PAYLOAD, SECRET)) {
            for (String form : forms(planted)) {
                assertThat(linesWith(written, form))
                        .as("%s as %s", planted, form)
                        .isEmpty();
            }
        }
    }

    private static List<String> linesWith(String written, String form) {
        String wanted = form.toLowerCase(Locale.ROOT);
        return written.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).contains(wanted))
                .limit(5)
                .toList();
    }

    /** As it is, in hexadecimal, and in base64 at each of the three places in a group of bytes it may begin at. */
    private static List<String> forms(String planted) {
        byte[] bytes = planted.getBytes(StandardCharsets.UTF_8);
        List<String> forms = new ArrayList<>(List.of(planted, HexFormat.of().formatHex(bytes)));
        for (int shift = 0; shift < 3; shift++) {
            String encoded =
                    Base64.getEncoder().encodeToString((" ".repeat(shift) + planted).getBytes(StandardCharsets.UTF_8));
            // The first and last groups depend on what is around.
            forms.add(encoded.substring(4, encoded.length() - 4));
        }
        return forms;
    }

    private String run() throws IOException, InterruptedException {
        Path output = directory.resolve("written.log");
        Path logging = Files.writeString(
                directory.resolve("logging.properties"),
                "handlers=java.util.logging.ConsoleHandler\n.level=ALL\njava.util.logging.ConsoleHandler.level=ALL\n");
        Endpoint real = RealServers.localstack();
        try (UnreliableServers servers = new UnreliableServers(real, 1)) {
            servers.setMix(FaultMix.each(0.02, Duration.ofMillis(20)));
            Process client = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx512m",
                            "-Dorg.slf4j.simpleLogger.defaultLogLevel=trace",
                            "-Djava.util.logging.config.file=" + logging,
                            "-cp",
                            System.getProperty("java.class.path"),
                            TalkativeClient.class.getName(),
                            servers.endpoint().s3().toString(),
                            String.valueOf(servers.endpoint().sqs()),
                            "s" + Long.toHexString(System.nanoTime()),
                            ACCESS,
                            SECRET,
                            KEY,
                            PAYLOAD)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                assertThat(client.waitFor(5, TimeUnit.MINUTES)).isTrue();
            } finally {
                client.destroyForcibly();
            }
        }
        return Files.readString(output, StandardCharsets.ISO_8859_1);
    }
}
