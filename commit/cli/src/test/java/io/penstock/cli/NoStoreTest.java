package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A place without a store is none: commands say so, and make nothing there. It was a sound store before. */
class NoStoreTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "backlog",
                "backup --to backups",
                "compact",
                "console --port 0",
                "copy --to copy",
                "drop words",
                "drop words --delete",
                "export --collection words -",
                "gc",
                "gc --delete",
                "inspect client",
                "inspect log",
                "inspect page --collection words",
                "inspect queue",
                "inspect tree --collection words",
                "move words --out",
                "provision",
                "quarantine apply",
                "quarantine list",
                "quarantine list --json",
                "quarantine show x",
                "rename words verba",
                "repage words --page-bytes 512 --compression none",
                "review --collection words",
                "rotate-keys",
                "sql values(1)",
                "stats",
                "sweep",
                "sweep --every 5s",
                "verify",
                "verify --repair"
            })
    void commandsSayThatThereIsNoStore(String command) throws IOException {
        Path store = directory.resolve("store");
        try (Penstock opened = Penstock.open(Settings.local(store))) {
            opened.collection("words", Keys.string(), Json.of(String.class)).put("a", "1");
        }
        Path empty = Files.createDirectory(directory.resolve("empty"));
        Path foreign = Files.createDirectory(directory.resolve("foreign"));
        Files.writeString(foreign.resolve("readme"), "of somebody else");
        for (Path place : List.of(empty, foreign, directory.resolve("nowhere"), store.resolve("objects"))) {
            refused(command, "--dir", place.toString());
        }
        refused(command, "--dir", store.toString(), "--prefix", "shpo");
    }

    /** A shell leaves {@code ~} alone after an equals sign; it was the name of a new directory. */
    @ParameterizedTest
    @ValueSource(strings = {"provision --dir=~/shop", "stats --dir file:///shop"})
    void directoriesThatAreNoneAreRefused(String command) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream shown = new PrintStream(err, true, StandardCharsets.UTF_8);
        PenstockCommand.run(shown, shown, command.split(" "));
        assertThat(err.toString()).contains("[INVALID_SETTING]").hasLineCount(1);
    }

    private void refused(String command, String... where) throws IOException {
        List<String> before = files();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = PenstockCommand.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Stream.concat(Stream.of(command.split(" ")), Stream.of(where)).toArray(String[]::new));
        assertThat(err.toString()).contains("[STORE_NOT_FOUND]").hasLineCount(1);
        assertThat(out.toString()).isEmpty();
        assertThat(code).isEqualTo(Shell.NO_STORE);
        assertThat(files()).isEqualTo(before);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.map(Path::toString).sorted().toList();
        }
    }
}
