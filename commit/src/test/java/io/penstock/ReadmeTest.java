package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testing.JdkCompiler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example in the README compiles, runs, and prints the book it has sold. */
class ReadmeTest {
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path directory;

    @Test
    void theExampleRuns() throws Exception {
        Path source = Files.writeString(directory.resolve("Readme.java"), program());
        compile(source);
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
            Method main = loader.loadClass("Readme").getMethod("run");
            main.invoke(null);
        } finally {
            System.setOut(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("author=Knuth", "stock=2");
    }

    /** The first Java block of the README as the body of a method, on a store in the test's directory. */
    private String program() throws IOException {
        Matcher block = JAVA_BLOCK.matcher(Files.readString(readme()));
        assertThat(block.find()).as("a java block in the README").isTrue();
        String store = directory.resolve("shop").toString().replace("\\", "\\\\");
        return "import io.penstock.*;\nimport io.penstock.annotation.*;\n"
                + "import java.util.*;\nimport java.nio.file.Path;\n"
                + "public class Readme {\n    public static void run() {\n"
                + block.group(1).replace("\"shop\"", "\"" + store + "\"")
                + "    }\n}\n";
    }

    private void compile(Path source) throws IOException {
        JavaCompiler compiler = JdkCompiler.require();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options =
                    List.of("-d", directory.toString(), "-classpath", System.getProperty("java.class.path"));
            boolean compiled = compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            assertThat(compiled).as(messages.toString()).isTrue();
        }
    }

    private static Path readme() {
        Path here = Path.of("README.md");
        return Files.exists(here) ? here : Path.of("..", "README.md");
    }
}
