package io.penstock.core.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The AWS SDK is optional: a process that stores locally does without. */
class WithoutSdkTest {
    @TempDir
    Path directory;

    @Test
    void localCloudNeedsNoSdk() throws IOException, InterruptedException {
        String all = System.getProperty("java.class.path");
        String rest = Arrays.stream(all.split(File.pathSeparator))
                .filter(entry -> !entry.contains("awssdk"))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(rest).isNotEqualTo(all);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        rest,
                        WithoutSdk.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = process.inputReader()) {
            assertThat(lines.readLine()).isEqualTo("object and message");
            assertThat(process.waitFor()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
