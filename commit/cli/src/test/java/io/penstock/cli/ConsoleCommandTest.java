package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Json;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.cli.program.Shell;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that serves the console, beside the owner of the store. */
class ConsoleCommandTest {
    @TempDir
    private Path directory;

    @Test
    void itServesUntilItIsStopped() throws Exception {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (Penstock store = Penstock.open(Settings.local(directory));
                PipedInputStream printed = new PipedInputStream()) {
            RecordCollection<String, String> words = store.collection("words", Keys.string(), Json.of(String.class));
            words.put("a", "1");
            PrintStream out = new PrintStream(new PipedOutputStream(printed), true, StandardCharsets.UTF_8);
            Thread command = Thread.ofPlatform()
                    .start(() -> PenstockCommand.run(
                            out,
                            new PrintStream(err, true, StandardCharsets.UTF_8),
                            "console",
                            "--port",
                            "0",
                            "--dir",
                            directory.toString()));
            StringBuilder line = new StringBuilder();
            for (int c = printed.read(); c != '\n'; c = printed.read()) {
                line.append((char) c);
            }
            assertThat(line.toString())
                    .startsWith("http://127.0.0.1:")
                    .endsWith("/ shows " + directory + "; Ctrl-C ends it");
            URI address = URI.create(line.substring(0, line.indexOf(" ")));
            assertThat(body(address)).contains(">words</a>", directory.toString());
            words.put("b", "2");
            assertThat(body(address.resolve("collections/words"))).contains(">a</span>", ">b</span>");
            assertThat(words.scan(KeySpan.all()).stream().count()).isEqualTo(2);
            command.interrupt();
            command.join();
            assertThat(err.toString()).hasLineCount(1).contains("INTERRUPTED");
        }
    }

    private static String body(URI address) throws Exception {
        try (InputStream in = address.toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aPortIsANumberOfPorts() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = PenstockCommand.run(
                System.out,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                "console",
                "--port",
                "70000",
                "--dir",
                directory.toString());
        assertThat(code).isEqualTo(Shell.USAGE);
        assertThat(err.toString()).contains("--port is out of range").hasLineCount(1);
    }
}
