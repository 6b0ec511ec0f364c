package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** At INFO the log tells when a store was opened and closed, and nothing else while all is well. */
class LogTest {
    @TempDir
    private Path directory;

    /** A program that writes something. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            try (Penstock store = Penstock.open(Settings.local(Path.of(arguments[0])))) {
                store.collection("words", Keys.string(), Json.of(String.class)).put("a", "1");
                store.admin().checkpoint();
            }
        }
    }

    @Test
    void aProgramsLogTellsItsStory() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName(),
                        directory.toString())
                .redirectErrorStream(true)
                .start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(told).isZero();
        assertThat(told.lines().filter(line -> line.contains(" INFO ") || line.contains(" WARN ")))
                .as(told)
                .satisfiesExactly(
                        opened -> assertThat(opened).contains("opened the store prefix=penstock level="),
                        closed -> assertThat(closed).contains("closed the store prefix=penstock drained=true"));
    }
}
