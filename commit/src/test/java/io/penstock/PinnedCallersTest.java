package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Callers may use up the carriers of virtual threads, as those in a monitor do before Java 24. The library's tasks were
 * virtual threads too, so two such callers on two processors waited for ever, and with them every store of the process.
 */
class PinnedCallersTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void allEnd(PinnedCallers.Way way) throws IOException, InterruptedException {
        assertThat(printed(ConsistencyLevel.ATOMIC, way)).isEqualToIgnoringNewLines("ended " + PinnedCallers.CALLERS);
    }

    @Test
    void allEndWhenStrict() throws IOException, InterruptedException {
        assertThat(printed(ConsistencyLevel.SERIALIZABLE, PinnedCallers.Way.MIXED))
                .isEqualToIgnoringNewLines("ended " + PinnedCallers.CALLERS);
    }

    private String printed(ConsistencyLevel level, PinnedCallers.Way way) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djdk.virtualThreadScheduler.parallelism=2",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PinnedCallers.class.getName(),
                        directory.toString(),
                        level.name(),
                        way.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return printed;
    }
}
