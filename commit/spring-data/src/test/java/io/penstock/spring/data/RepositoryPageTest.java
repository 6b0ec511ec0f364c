package io.penstock.spring.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.spring.PenstockTemplate;
import io.penstock.testing.JdkCompiler;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Window;
import org.springframework.data.repository.CrudRepository;

/** The repository of {@code docs/SPRING.md}, built and called as the page shows it. */
class RepositoryPageTest {
    @TempDir
    private Path directory;

    private static Path page() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("docs/SPRING.md"))) {
                return at.resolve("docs/SPRING.md");
            }
        }
        throw new IllegalStateException("the page is not above the working directory");
    }

    private void build() throws Exception {
        Matcher block = Pattern.compile("```java\n(package shop\\.data;.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(page()));
        assertThat(block.find()).isTrue();
        Path source = Files.writeString(directory.resolve("Orders.java"), block.group(1));
        StringWriter messages = new StringWriter();
        JavaCompiler compiler = JdkCompiler.require();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options = List.of(
                    "-parameters", "-d", directory.toString(), "-classpath", System.getProperty("java.class.path"));
            boolean compiled = compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            assertThat(compiled).as(messages.toString()).isTrue();
        }
    }

    private static Object call(Object on, Class<?> type, String name, Object... values) throws Exception {
        for (Method method : type.getMethods()) {
            if (method.getName().equals(name)) {
                method.setAccessible(true);
                return method.invoke(on, values);
            }
        }
        throw new NoSuchMethodException(name);
    }

    @Test
    void theRepositoryOfThePageFindsItsOrders() throws Exception {
        build();
        try (URLClassLoader loader =
                        new URLClassLoader(new URL[] {directory.toUri().toURL()});
                Penstock store = Penstock.open(Settings.inMemory())) {
            Class<?> type = loader.loadClass("shop.data.Orders");
            PenstockRepositoryFactory factory = new PenstockRepositoryFactory(store, new PenstockTemplate(store));
            factory.setBeanClassLoader(loader);
            Object orders = factory.getRepository(type);
            Constructor<?> make = loader.loadClass("shop.data.Order").getDeclaredConstructors()[0];
            make.setAccessible(true);
            for (int i = 0; i < 5; i++) {
                Object order = make.newInstance("n" + i, "ada", Instant.ofEpochSecond(i), 100 * i);
                call(orders, CrudRepository.class, "save", order);
            }
            assertThat((List<?>) call(orders, type, "findFirst3ByCustomerAndCentsGreaterThan", "ada", 250))
                    .hasSize(2);
            assertThat(call(orders, type, "totals", 100)).hasToString("[Total[customer=ada, cents=900]]");
            Window<?> first =
                    (Window<?>) call(orders, type, "findByOrderByAtDesc", ScrollPosition.keyset(), Limit.of(4));
            assertThat(first.getContent().getFirst().toString()).contains("number=n4");
            Window<?> second = (Window<?>) call(orders, type, "findByOrderByAtDesc", first.positionAt(3), Limit.of(4));
            assertThat(second.getContent())
                    .hasSize(1)
                    .allMatch(order -> order.toString().contains("number=n0"));
        }
    }
}
