package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.annotation.Indexed;
import io.penstock.annotation.Key;
import io.penstock.annotation.Stored;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An index that is declared and not in the store is told once, and no more when it is built. */
class MissingIndexTest {
    /** A program whose class has got another index. */
    static final class Program {
        @Stored("words")
        record Before(@Key String word, String language) {}

        @Stored("words")
        record Now(@Key String word, @Indexed String language) {}

        private Program() {}

        public static void main(String[] arguments) {
            try (Penstock store = Penstock.open(Settings.inMemory())) {
                store.<String, Before>collection(Before.class).put(new Before("a", "en"));
                RecordCollection<String, Now> words = store.collection(Now.class);
                System.out.println("level " + words.level());
                System.out.println("read " + words.get("a"));
                words.put(new Now("b", "en"));
                store.<String, Now>collection(Now.class).build();
                System.out.println("built");
                RecordCollection<String, Now> again = store.collection(Now.class);
                System.out.println("level " + again.level());
            }
        }
    }

    @Test
    void isTold() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectErrorStream(true)
                .start();
        List<String> told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor()).as("%s", told).isZero();
        assertThat(told)
                .satisfiesExactly(
                        warn -> assertThat(warn)
                                .contains(" WARN ", "RecordCollection.build", "collection=words index=language"),
                        level -> assertThat(level).isEqualTo("level SERIALIZABLE"),
                        read -> assertThat(read).startsWith("read Optional["),
                        built -> assertThat(built).isEqualTo("built"),
                        level -> assertThat(level).isEqualTo("level SERIALIZABLE"));
    }
}
