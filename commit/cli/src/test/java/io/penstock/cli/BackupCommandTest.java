package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups by the command line, of a local store that another process may have open. */
class BackupCommandTest {
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

    private String place(String name) {
        return directory.resolve(name).toString();
    }

    private Settings settings(String name) {
        return Settings.local(directory.resolve(name));
    }

    private static RecordCollection<String, String> words(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    @Test
    void aWrongOptionIsToldBeforeAnythingIsWritten() {
        try (Penstock store = Penstock.open(settings("shop"))) {
            words(store).put("a", "1");
        }
        assertThat(run("backup", "--dir", place("shop"), "--to", place("saved"), "--keep", "0"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--keep is out of range");
        assertThat(directory.resolve("saved")).doesNotExist();
    }

    @Test
    void storeInUseIsBackedUpAndRestored() {
        try (Penstock store = Penstock.open(settings("shop"))) {
            words(store).put("a", "1");
            assertThat(run("backup", "--dir", place("shop"), "--to", place("saved")))
                    .as(err.toString())
                    .isZero();
            assertThat(out.toString()).startsWith("full backup: 1 records");
            words(store).put("a", "2");
            words(store).put("b", "3");
            assertThat(run("backup", "--dir", place("shop"), "--to", place("saved")))
                    .isZero();
            assertThat(out.toString()).startsWith("incremental backup: 0 records, 2 transactions");
        }
        assertThat(run("restore", "--dir", place("shop"), "--from", place("saved")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("a backup is restored into a new store");
        directory.resolve("again").toFile().mkdir();
        assertThat(run("restore", "--dir", place("again"), "--from", place("saved")))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("restored 1 collections");
        try (Penstock store = Penstock.open(settings("again"))) {
            assertThat(words(store).get("a")).contains("2");
            assertThat(words(store).get("b")).contains("3");
        }
    }

    @Test
    void storeInUseIsCopied() {
        directory.resolve("copy").toFile().mkdir();
        try (Penstock store = Penstock.open(settings("shop"))) {
            words(store).put("a", "1");
            assertThat(run("copy", "--dir", place("shop"), "--to", place("copy")))
                    .as(err.toString())
                    .isZero();
            assertThat(out.toString()).contains("copied 1 collections: 1 records");
            words(store).put("a", "2");
            assertThat(run("copy", "--dir", place("shop"), "--to", place("copy")))
                    .isEqualTo(2);
            assertThat(err.toString()).contains("choose another place").hasLineCount(1);
        }
        try (Penstock copy = Penstock.open(settings("copy"))) {
            assertThat(words(copy).get("a")).contains("1");
        }
    }

    @Test
    void wrongInputIsOneLine() {
        try (Penstock store = Penstock.open(settings("shop"))) {
            words(store).put("a", "1");
        }
        directory.resolve("new").toFile().mkdir();
        assertThat(run("restore", "--dir", place("new"), "--from", place("nowhere")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("there is no such directory");
        assertThat(run("copy", "--dir", place("shop"), "--to", place("nowhere")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("there is no such directory").hasLineCount(1);
        assertThat(run("copy", "--dir", place("shop"), "--to", "s3://bucket")).isEqualTo(2);
        assertThat(err.toString()).contains("s3://bucket/folder").hasLineCount(1);
        assertThat(run("backup", "--dir", place("shop"), "--to", "s3://bucket")).isEqualTo(2);
        assertThat(err.toString()).contains("s3://bucket/folder");
        for (String place : List.of("s3:bucket/folder", "gs://bucket", "azblob://account/container", "s4://b/f")) {
            assertThat(run("backup", "--dir", place("shop"), "--to", place)).isEqualTo(2);
            assertThat(err.toString())
                    .contains("azblob://account/container/folder", "place=" + place)
                    .hasLineCount(1);
        }
        assertThat(run("restore", "--dir", place("new"), "--from", place("shop"), "--at", "yesterday"))
                .isEqualTo(2);
        assertThat(run("backup", "--dir", place("nowhere"), "--to", place("saved")))
                .isNotZero();
    }
}
