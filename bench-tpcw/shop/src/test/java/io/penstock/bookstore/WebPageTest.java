package io.penstock.bookstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Settings;
import io.penstock.testing.JdkCompiler;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The applications of {@code docs/WEB.md}, built and run as the page shows them. */
class WebPageTest {
    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern TYPE = Pattern.compile("(?:class|record) (\\w+)");

    @TempDir
    private Path directory;

    @BeforeEach
    void build() throws IOException {
        List<Path> sources = new ArrayList<>();
        Matcher blocks = BLOCK.matcher(Files.readString(Folder.root().resolve("docs/WEB.md")));
        while (blocks.find()) {
            Matcher type = TYPE.matcher(blocks.group(1));
            assertThat(type.find()).isTrue();
            sources.add(Files.writeString(directory.resolve(type.group(1) + ".java"), blocks.group(1)));
        }
        assertThat(sources).hasSize(3);
        StringWriter messages = new StringWriter();
        JavaCompiler compiler = JdkCompiler.require();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options = List.of(
                    "-parameters", "-d", directory.toString(), "-classpath", System.getProperty("java.class.path"));
            boolean compiled = compiler.getTask(
                            messages, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(compiled).as(messages.toString()).isTrue();
        }
    }

    @Test
    void plainJava() throws Exception {
        usersSeeTheirWritesAtBothServers("PlainTodos");
    }

    @Test
    void javalin() throws Exception {
        usersSeeTheirWritesAtBothServers("JavalinTodos");
    }

    /** Two servers on one store, and a user who goes from one to the other with her cookie. */
    private void usersSeeTheirWritesAtBothServers(String type) throws Exception {
        Settings place = Settings.inMemory();
        try (URLClassLoader loader =
                        new URLClassLoader(new URL[] {directory.toUri().toURL()});
                AutoCloseable first = start(loader, type, place);
                AutoCloseable second = start(loader, type, place);
                Browser user = new Browser(address(first))) {
            for (int i = 0; i < 5; i++) {
                var written = user.at(address(first)).send("/todos", "text/plain", "todo " + i);
                assertThat(written.statusCode()).isEqualTo(200);
                assertThat(user.at(address(second))
                                .get("/todos/" + written.body())
                                .body())
                        .isEqualTo("todo " + i);
            }
            assertThat(user.get("/todos/none").statusCode()).isEqualTo(404);
        }
    }

    private static AutoCloseable start(ClassLoader loader, String type, Settings place) throws Exception {
        Constructor<?> constructor = loader.loadClass(type).getDeclaredConstructor(Settings.class, int.class);
        constructor.setAccessible(true);
        return (AutoCloseable) constructor.newInstance(place, 0);
    }

    private static URI address(AutoCloseable server) throws Exception {
        Method port = server.getClass().getDeclaredMethod("port");
        port.setAccessible(true);
        return URI.create("http://127.0.0.1:" + port.invoke(server));
    }
}
