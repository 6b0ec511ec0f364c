package io.penstock.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    @TempDir
    private Path directory;

    @Test
    void whatWasWrittenIsReadAndACutOffLineIsNot() throws IOException {
        Path file = directory.resolve("journal");
        Stamp stamp = Stamp.of(1_700_000_000_000L, 3, new ClientId(-7));
        try (Journal journal = new Journal(file)) {
            journal.begun(1);
            journal.acknowledged(1, stamp);
            journal.begun(21);
        }
        String whole = Files.readString(file);
        Files.writeString(file, whole.substring(0, whole.length() - "1;\n".length()));
        Journal.Content content = Journal.read(file);
        assertThat(content.begun()).containsExactly(1L);
        assertThat(content.acknowledged()).containsOnlyKeys(1L).containsValue(stamp);
    }

    @Test
    void aWriterThatDidNotGetSoFarHasBegunNothing() {
        assertThat(Journal.read(directory.resolve("none")).begun()).isEmpty();
    }
}
