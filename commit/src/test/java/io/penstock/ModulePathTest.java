package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testing.JdkCompiler;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that is a module of its own uses a store, with nothing on the module path but what the POM requires. */
class ModulePathTest {
    private static final Pattern REQUIRED = Pattern.compile(
            ".*(/(core|btree|commit)/target/classes|/(penstock|jackson|micrometer|HdrHistogram|LatencyUtils"
                    + "|slf4j-api|jspecify)[^/]*\\.jar)");

    private static final String MODULE =
            "module app { requires io.penstock; opens app to com.fasterxml.jackson.databind; }";

    private static final String PROGRAM = """
        package app;

        import io.penstock.*;
        import java.nio.file.Path;

        public class Main {
            public record Book(String title, int stock) {}

            public static void main(String[] arguments) {
                for (int i = 0; i < 2; i++) {
                    try (Penstock store = Penstock.open(Settings.local(Path.of(arguments[0])))) {
                        RecordCollection<String, Book> books =
                                store.collection("books", Keys.string(), Json.of(Book.class));
                        Index<String, String, Book> byTitle = books.index("title", Keys.string(), Book::title);
                        books.put("1", new Book("dams", i));
                        System.out.println(books.get("1").orElseThrow() + " " + store.admin().verify().violations());
                    }
                }
            }
        }
        """;

    private static String modulePath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> REQUIRED.matcher(entry.replace('\\', '/')).matches())
                .filter(entry -> !entry.contains("tests.jar"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String run(Path directory, List<String> arguments) throws IOException, InterruptedException {
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(arguments)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exit = process.waitFor();
        assertThat(exit).as(Files.readString(output)).isZero();
        return Files.readString(output);
    }

    @Test
    void aModularProgramUsesAStore(@TempDir Path directory) throws IOException, InterruptedException {
        Path sources = Files.createDirectories(directory.resolve("src"));
        Path module = Files.writeString(sources.resolve("module-info.java"), MODULE);
        Path main = Files.writeString(
                Files.createDirectories(sources.resolve("app")).resolve("Main.java"), PROGRAM);
        String classes = directory.resolve("classes").toString();
        int compiled = JdkCompiler.require()
                .run(null, null, null, "-p", modulePath(), "-d", classes, module.toString(), main.toString());
        assertThat(compiled).isZero();

        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String said = run(
                directory,
                List.of(
                        java,
                        "-p",
                        modulePath() + File.pathSeparator + classes,
                        "-m",
                        "app/app.Main",
                        directory.resolve("store").toString()));
        assertThat(said).contains("Book[title=dams, stock=0] []").contains("Book[title=dams, stock=1] []");
    }
}
