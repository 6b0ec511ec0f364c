package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A handle that only reads looks into a local store while another has it open. */
class LocalLookTest {
    @TempDir
    Path directory;

    private static RecordCollection<String, String> words(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    @Test
    void readerSeesWhatTheOwnerHasApplied() {
        Settings settings = Settings.local(directory);
        try (Penstock app = Penstock.open(settings)) {
            words(app).put("a", "one");
            app.admin().checkpoint();
            try (Penstock look = Penstock.open(settings.readOnly(true))) {
                assertThat(look.collections()).containsExactly("words");
                assertThat(words(look).get("a")).contains("one");
                assertThat(look.admin().verify().violations()).isEmpty();
                assertThat(look.admin().inspect().stats().kinds()).isNotEmpty();
                words(app).put("b", "two");
                assertThat(look.admin().backlog().total()).isNotNegative();
            }
            assertThatThrownBy(() -> Penstock.open(settings))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.DIRECTORY_IN_USE));
            assertThat(words(app).get("b")).contains("two");
        }
    }

    /** The owner takes the other client for dead: its recovery removed the queues of one that was alive. */
    @Test
    void whoSharesADirectoryWithAnOwnerOfItsOwnOnlyReads() {
        try (Penstock app = Penstock.open(Settings.local(directory))) {
            words(app).put("a", "one");
            app.admin().checkpoint();
            try (Penstock other = Penstock.open(Settings.shared(directory))) {
                assertThat(words(other).get("a")).contains("one");
                assertThatThrownBy(() -> words(other).put("a", "two"))
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.DIRECTORY_IN_USE))
                        .hasMessageContaining("Settings.shared");
            }
            assertThat(words(app).get("a")).contains("one");
        }
    }

    /** A reader recovers nothing, and is the owner where nobody else is yet. */
    @Test
    void whoComesAfterAReaderWrites() {
        Penstock.open(Settings.local(directory)).close();
        try (Penstock look = Penstock.open(Settings.local(directory).readOnly(true));
                Penstock app = Penstock.open(Settings.shared(directory))) {
            words(app).put("a", "one");
            app.admin().checkpoint();
            assertThat(words(look).get("a")).contains("one");
        }
    }

    @Test
    void clientsOfASharedDirectoryWriteTogether() {
        try (Penstock first = Penstock.open(Settings.shared(directory));
                Penstock second =
                        Penstock.open(Settings.from(Map.of("directory", directory.toString(), "shared", "true")))) {
            words(first).put("a", "one");
            words(second).update("a", found -> found.map(one -> one + " and two"));
            assertThat(words(first).get("a")).contains("one and two");
        }
    }
}
