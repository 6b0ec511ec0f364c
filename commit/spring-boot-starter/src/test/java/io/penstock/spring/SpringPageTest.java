package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.Penstock;
import io.penstock.core.object.BucketAddress;
import io.penstock.testing.Buckets;
import io.penstock.testing.JdkCompiler;
import io.penstock.testing.RealServers;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** The application of {@code docs/SPRING.md}, built and run as the page shows it. */
class SpringPageTest {
    private static final Pattern BLOCK = Pattern.compile("```(java|properties)\n(.*?)```", Pattern.DOTALL);
    private static final Pattern TYPE = Pattern.compile("(?:class|record) (\\w+)");

    @TempDir
    private Path directory;

    private String page;

    @BeforeEach
    void build() throws IOException {
        page = Files.readString(Pages.root().resolve("docs/SPRING.md"));
        StringWriter messages = new StringWriter();
        JavaCompiler compiler = JdkCompiler.require();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options = List.of(
                    "-parameters", "-d", directory.toString(), "-classpath", System.getProperty("java.class.path"));
            boolean compiled = compiler.getTask(
                            messages, files, null, options, null, files.getJavaFileObjectsFromPaths(sources()))
                    .call();
            assertThat(compiled).as(messages.toString()).isTrue();
        }
    }

    private List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String block : blocks("java")) {
            if (block.startsWith("package shop.data;")) {
                continue; // a test of commit/spring-data builds it
            }
            Matcher type = TYPE.matcher(block);
            assertThat(type.find()).isTrue();
            sources.add(Files.writeString(directory.resolve(type.group(1) + ".java"), block));
        }
        assertThat(sources).hasSize(5);
        return sources;
    }

    private List<String> blocks(String language) {
        return BLOCK.matcher(page)
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .toList();
    }

    /** A use of the application's classes, which this one cannot name. */
    private interface Use {
        void of(ConfigurableApplicationContext context, Shop shop) throws Exception;
    }

    /** The bean of the page. */
    private record Shop(Object books, Class<?> type, Constructor<?> book) {
        void add(String isbn, int stock) throws Exception {
            type.getMethod("add", book.getDeclaringClass()).invoke(books, book.newInstance(isbn, "Dams", stock));
        }

        String sell(String isbn) throws Exception {
            return type.getMethod("sell", String.class).invoke(books, isbn).toString();
        }
    }

    private void run(List<String> properties, Use use) throws Exception {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(loader);
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(loader.loadClass("shop.Shop"))
                    .web(WebApplicationType.NONE)
                    .initializers(Contexts::withoutBuild)
                    .properties(properties.toArray(String[]::new))
                    .run()) {
                Class<?> type = loader.loadClass("shop.Books");
                Constructor<?> book =
                        loader.loadClass("shop.Book").getConstructor(String.class, String.class, int.class);
                use.of(context, new Shop(context.getBean(type), type, book));
            } finally {
                thread.setContextClassLoader(before);
            }
        }
    }

    private static void sellsOut(ConfigurableApplicationContext context, Shop shop) throws Exception {
        shop.add("978-0", 2);
        assertThat(shop.sell("978-0")).contains("stock=1");
        assertThat(shop.sell("978-0")).contains("stock=0");
        assertThatThrownBy(() -> shop.sell("978-0")).hasStackTraceContaining("sold out");
    }

    @Test
    void theApplicationRunsInADirectory() throws Exception {
        String properties = blocks("properties").get(0).replace("=shop", "=" + directory.resolve("store"));
        assertThat(properties.lines()).hasSize(1);
        List<String> alone = Stream.concat(properties.lines(), Stream.of(Contexts.WITHOUT_DATA_SOURCE))
                .toList();
        run(alone, SpringPageTest::sellsOut);
        run(
                alone,
                (context, shop) -> assertThatThrownBy(() -> shop.sell("978-0")).hasStackTraceContaining("sold out"));
    }

    /** Twice as many buyers as there are books, at once, at the defaults: nobody gets another answer. */
    @Test
    void manyBuyersGetWhatThereIs() throws Exception {
        run(List.of("penstock.in-memory=true", Contexts.WITHOUT_DATA_SOURCE), (context, shop) -> {
            shop.add("978-0", 20);
            AtomicInteger sold = new AtomicInteger();
            List<String> others = new CopyOnWriteArrayList<>();
            try (ExecutorService buyers = Executors.newFixedThreadPool(8)) {
                for (int i = 0; i < 40; i++) {
                    buyers.submit(() -> {
                        try {
                            shop.sell("978-0");
                            sold.incrementAndGet();
                        } catch (Exception failure) {
                            others.add(String.valueOf(failure.getCause().getMessage()));
                        }
                    });
                }
            }
            assertThat(sold).hasValue(20);
            assertThat(others).hasSize(20).containsOnly("sold out");
        });
    }

    @Test
    void theApplicationRunsInMemory() throws Exception {
        run(List.of("penstock.in-memory=true", Contexts.WITHOUT_DATA_SOURCE), SpringPageTest::sellsOut);
    }

    /** The one that H2 on the class path makes. */
    @Test
    void theApplicationRunsBesideADatabase() throws Exception {
        run(List.of("penstock.in-memory=true", "penstock.level=serializable"), (context, shop) -> {
            assertThat(context.getBean(JdbcTemplate.class)).isNotNull();
            Object orders = context.getBean("orders");
            Method place = orders.getClass().getMethod("place", long.class, String.class);
            place.invoke(orders, 1L, "978-0");
            assertThatThrownBy(() -> place.invoke(orders, 1L, "978-1")).hasStackTraceContaining("placed before");
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("servers")
    @ResourceLock(Resources.SYSTEM_PROPERTIES)
    void theApplicationRunsOnServers(boolean queues) throws Exception {
        RealServers.Endpoint servers = RealServers.localstack();
        Map<String, String> credentials =
                Map.of("aws.accessKeyId", servers.accessKey(), "aws.secretAccessKey", servers.secretKey());
        credentials.forEach(System::setProperty);
        try {
            List<String> properties =
                    new ArrayList<>(blocks("properties").get(1).lines().toList());
            properties.add("penstock.endpoint-s3=" + servers.s3());
            if (queues) {
                properties.add("penstock.endpoint-sqs=" + servers.sqs());
            }
            properties.add("penstock.path-style=true");
            properties.add("penstock.create-bucket=true");
            properties.add(Contexts.WITHOUT_DATA_SOURCE);
            properties.add("penstock.prefix=page-" + System.nanoTime());
            properties.replaceAll(line -> line.replace("eu-central-1", RealServers.Endpoint.REGION));
            run(properties, (context, shop) -> {
                sellsOut(context, shop);
                context.getBean(Penstock.class).ping();
            });
        } finally {
            credentials.keySet().forEach(System::clearProperty);
        }
    }

    /** A store in a bucket of another cloud, by properties alone. */
    @ParameterizedTest
    @ValueSource(strings = {"gcs", "azurite"})
    @Tag("servers")
    @ResourceLock(Resources.SYSTEM_PROPERTIES)
    void theApplicationRunsOnOtherClouds(String server) throws Exception {
        BucketAddress address = Buckets.address(server, "spring-tests");
        List<String> properties = List.of(
                "penstock.bucket=" + address.bucket(),
                "penstock.endpoint=" + address.endpoint().orElseThrow(),
                "penstock.create-bucket=true",
                "penstock.prefix=page-" + System.nanoTime(),
                Contexts.WITHOUT_DATA_SOURCE);
        run(properties, (context, shop) -> {
            sellsOut(context, shop);
            context.getBean(Penstock.class).ping();
        });
    }
}
