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
