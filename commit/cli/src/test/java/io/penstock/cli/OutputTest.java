package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.cli.program.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command whose output could not be written has failed. An export to a full disk was an empty backup, code 0. */
class OutputTest {
    @TempDir
    private Path directory;

    /** A device without room, as {@code /dev/full}. */
    private static final class Full extends OutputStream {
        @Override
        public void write(int next) throws IOException {
            throw new IOException("no space left on device");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "backlog",
                "compact",
                "console --port 0",
                "doctor",
                "doctor --json",
                "drop words",
                "export --collection words -",
                "export --collection words --format csv -",
                "gc",
                "inspect client",
                "inspect log",
                "inspect page --collection words",
                "inspect queue",
                "inspect tree --collection words",
                "provision",
                "quarantine apply",
                "quarantine apply --json",
                "quarantine list",
                "quarantine list --json",
                "rename words verba",
                "repage words --page-bytes 512 --compression none",
                "sql values(1)",
                "stats",
                "sweep",
                "verify",
                "verify --repair"
            })
    void whatCannotBeWrittenFailsTheCommand(String command) {
        try (Penstock store = Penstock.open(Settings.local(directory))) {
            RecordCollection<String, String> words = store.collection("words", Keys.string(), Json.of(String.class));
            words.put("a", "1");
        }
        fails(Stream.concat(Stream.of(command.split(" ")), Stream.of("--dir", directory.toString()))
                .toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "policy --role writer --bucket b"})
    void soDoesWhatNeedsNoStore(String command) {
        fails(command.split(" "));
    }

    private static void fails(String... arguments) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = PenstockCommand.run(
                new PrintStream(new Full(), true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
        assertThat(code).as(String.join(" ", arguments)).isEqualTo(Shell.FAILED);
        assertThat(err.toString()).contains("the output could not be written").hasLineCount(1);
    }
}
