package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.cli.program.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code penstock doctor} on a local store. */
class DoctorCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    private int run(String... arguments) {
        out.reset();
        err.reset();
        return PenstockCommand.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
    }

    private Path store() {
        return directory.resolve("shop");
    }

    private Penstock open() {
        return Penstock.open(Settings.local(store()));
    }

    @Test
    void aSoundStoreIsWellAlsoWhileItIsInUse() {
        try (Penstock store = open()) {
            store.collection("words", Keys.string(), Json.of(String.class)).put("a", "1");
            assertThat(run("doctor", "--dir", store().toString())).as("%s", out).isZero();
            assertThat(run("doctor", "--probe", "--dir", store().toString()))
                    .as("%s", out)
                    .isZero();
            assertThat(out.toString()).contains("not checked: put: ", "Settings.shared in both");
        }
        assertThat(run("doctor", "--probe", "--dir", store().toString()))
                .as("%s", out)
                .isZero();
        assertThat(out.toString())
                .contains("ok: put if absent: a second one is refused", "ok: store: is there, with 1 collections")
                .contains("not checked: pages and indexes: run verify");
        assertThat(err.toString()).isEmpty();
        assertThat(run("verify", "--dir", store().toString())).isZero();
    }

    @Test
    void jsonHasTheSame() throws IOException {
        open().close();
        assertThat(run("doctor", "--json", "--dir", store().toString())).isZero();
        JsonNode found = new ObjectMapper().readTree(out.toString());
        assertThat(found.get(0).get("check").asText()).isEqualTo("object store");
        assertThat(found.get(0).get("outcome").asText()).isEqualTo("ok");
        assertThat(found.get(0).get("text").asText()).startsWith("answers in ");
    }

    @Test
    void aPlaceWithoutAStoreHasACodeOfItsOwn() throws IOException {
        open().close();
        assertThat(run("doctor", "--dir", store().toString(), "--prefix", "shpo"))
                .isEqualTo(Shell.NO_STORE);
        assertThat(out.toString()).contains("absent: store: there is no store here");
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertThat(run("doctor", "--probe", "--dir", empty.toString())).isEqualTo(Shell.NO_STORE);
        assertThat(err.toString()).contains("[STORE_NOT_FOUND]").hasLineCount(1);
        assertThat(empty).isEmptyDirectory();
        assertThat(run("doctor")).isEqualTo(Shell.USAGE);
    }

    @Test
    void whatIsDamagedFails() throws IOException {
        open().close();
        List<Path> identities;
        try (Stream<Path> files = Files.walk(store().resolve("objects"))) {
            identities = files.filter(Files::isRegularFile)
                    .filter(file -> file.getFileName().toString().contains("store"))
                    .toList();
        }
        assertThat(identities).as("the identity and its copy").hasSize(2);
        for (Path each : identities) {
            byte[] bytes = Files.readAllBytes(each);
            bytes[bytes.length - 1] ^= 1;
            Files.write(each, bytes);
        }
        assertThat(run("doctor", "--dir", store().toString())).isEqualTo(Shell.FAILED);
        assertThat(out.toString()).containsPattern("failed: [a-z ]+: .*DAMAGED");
    }
}
