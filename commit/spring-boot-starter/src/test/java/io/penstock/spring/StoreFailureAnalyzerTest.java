package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.RefusedException;
import io.penstock.core.UnavailableException;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/** What a new user does wrong is told in one line, with what to do. */
class StoreFailureAnalyzerTest {
    @TempDir
    private Path directory;

    private static FailureAnalysis analysis(Throwable failure) {
        FailureAnalysis analysis = new StoreFailureAnalyzer().analyze(new BeanCreationException("penstock", failure));
        assertThat(analysis).isNotNull();
        assertThat(analysis.getDescription()).doesNotContain("\n").doesNotContain("{");
        assertThat(analysis.getAction()).doesNotContain("\n").doesNotContain("{");
        return analysis;
    }

    private static FailureAnalysis start(String... properties) {
        AtomicReference<FailureAnalysis> found = new AtomicReference<>();
        Contexts.ofProperties(properties).run(context -> {
            assertThat(context).hasFailed();
            found.set(new StoreFailureAnalyzer().analyze(context.getStartupFailure()));
        });
        assertThat(found.get()).isNotNull();
        return found.get();
    }

    @Test
    void springFindsIt() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
                        .load(FailureAnalyzer.class, FailureHandler.handleMessage((message, failure) -> {})))
                .hasAtLeastOneElementOfType(StoreFailureAnalyzer.class);
    }

    @Test
    void anUnknownProperty() {
        FailureAnalysis analysis = start("penstock.in-memory=true", "penstock.pool-byte=8MB");
        assertThat(analysis.getDescription()).startsWith("There is no property 'penstock.pool-byte'.");
        assertThat(analysis.getAction()).contains("'penstock.pool-bytes'");
    }

    /** It was told that there is no place. */
    @Test
    void aMisspeltPlace() {
        FailureAnalysis analysis = start("penstock.directry=shop");
        assertThat(analysis.getDescription()).startsWith("There is no property 'penstock.directry'.");
        assertThat(analysis.getAction()).contains("'penstock.directory'");
        assertThat(start("penstock.buket=shop").getAction()).contains("'penstock.bucket'");
    }

    @Test
    void aValueWithoutMeaning() {
        FailureAnalysis analysis = start("penstock.in-memory=true", "penstock.ttl=30");
        assertThat(analysis.getDescription()).contains("ttl", "30");
        assertThat(analysis.getAction()).as("the advice of its code").contains("Correct it");
    }

    @Test
    void noPlace() {
        FailureAnalysis analysis = start();
        assertThat(analysis.getDescription()).startsWith("No property says where the store is.");
        assertThat(analysis.getAction()).contains("penstock.directory", "penstock.bucket", "penstock.in-memory");
    }

    @Test
    void twoPlaces() {
        FailureAnalysis analysis = start("penstock.directory=shop", "penstock.bucket=books");
        assertThat(analysis.getDescription())
                .startsWith("The store has two places: penstock.bucket=books and penstock.directory=shop.");
        assertThat(analysis.getAction()).contains("'penstock.directory='", "'penstock.bucket='");
        assertThat(start("penstock.directory=", "penstock.bucket=").getDescription())
                .as("the way out")
                .startsWith("No property says where the store is.");
    }

    @Test
    void aFlagWithoutMeaning() {
        FailureAnalysis analysis = start("penstock.bucket=books", "penstock.create-bucket=yes");
        assertThat(analysis.getDescription()).contains("create-bucket", "yes", "true or false");
    }

    /** On a server that has none: nothing is made there without having been asked for. */
    @Test
    @ResourceLock(Resources.SYSTEM_PROPERTIES)
    void aBucketThatIsNotThere() throws IOException {
        List<String> requests = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            exchange.getResponseHeaders().add("x-amz-request-id", "1");
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        server.start();
        Set<String> credentials = Set.of("aws.accessKeyId", "aws.secretAccessKey");
        credentials.forEach(name -> System.setProperty(name, "any"));
        try {
            FailureAnalysis analysis = start(
                    "penstock.bucket=books",
                    "penstock.region=us-east-1",
                    "penstock.path-style=true",
                    "penstock.endpoint-s3=http://127.0.0.1:"
                            + server.getAddress().getPort());
            assertThat(analysis.getDescription()).startsWith("There is no bucket 'books'.");
            assertThat(requests).containsExactly("HEAD /books");
        } finally {
            credentials.forEach(System::clearProperty);
            server.stop(0);
        }
    }

    @Test
    void aDirectoryInUse() {
        Path place = directory.resolve("shop");
        try (Penstock other = Penstock.open(Settings.local(place))) {
            assertThat(other).isNotNull();
            FailureAnalysis analysis = start("penstock.directory=" + place);
            assertThat(analysis.getDescription()).startsWith("The directory '" + place + "' is in use");
            assertThat(analysis.getAction()).contains("penstock.directory", "penstock.shared=true", "penstock.bucket");
        }
    }

    /** In a process of its own, whose class path lacks the SDK: what a user sees there. */
    @Test
    void noSdkOnTheClassPath() throws Exception {
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("software" + File.separator + "amazon"))
                .collect(Collectors.joining(File.pathSeparator));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        Start.class.getName(),
                        "--penstock.bucket=shop")
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(output)
                .contains("APPLICATION FAILED TO START", "AWS SDK is not on the class path", "software/amazon/awssdk/")
                .contains("Add the dependencies s3, sqs and url-connection-client")
                .doesNotContain("\tat io.penstock");
    }

    /** An application with the starter. */
    static final class Start {
        private Start() {}

        public static void main(String[] arguments) {
            try {
                new SpringApplicationBuilder(PenstockAutoConfiguration.class)
                        .web(WebApplicationType.NONE)
                        .run(arguments);
            } catch (RuntimeException | LinkageError told) {
                System.exit(1);
            }
        }
    }

    @Test
    void aMissingBucket() {
        FailureAnalysis analysis =
                analysis(new InvalidRequestException(ErrorCode.BUCKET_NOT_FOUND, "any", "bucket", "shop"));
        assertThat(analysis.getDescription()).startsWith("There is no bucket 'shop'.");
        assertThat(analysis.getAction()).contains("penstock.create-bucket");
    }

    @Test
    void credentials() {
        assertThat(analysis(new InvalidRequestException(ErrorCode.NO_CREDENTIALS, "any"))
                        .getAction())
                .contains("AWS_ACCESS_KEY_ID", "renew", "penstock.region");
        assertThat(analysis(new RefusedException(ErrorCode.ACCESS_DENIED, "any"))
                        .getAction())
                .contains("penstock policy");
    }

    @Test
    void serversThatCannotBeReached() {
        assertThat(analysis(new UnavailableException(ErrorCode.UNREACHABLE, "any"))
                        .getAction())
                .contains("penstock.endpoint-s3");
    }

    @Test
    void everyFailureShowsItsCode() {
        for (ErrorCode code : ErrorCode.values()) {
            FailureAnalysis analysis = new StoreFailureAnalyzer().analyze(new InvalidRequestException(code, "any"));
            assertThat(analysis).isNotNull();
            assertThat(analysis.getDescription()).endsWith(" [" + code + "]");
            assertThat(analysis.getAction()).doesNotContain("null").matches(".+[.?]");
        }
    }

    @Test
    void otherFailuresAreLeftToOthers() {
        assertThat(new StoreFailureAnalyzer().analyze(new IllegalStateException("mine")))
                .isNull();
        assertThat(new StoreFailureAnalyzer().analyze(new NoClassDefFoundError("com/mine/Thing")))
                .isNull();
    }
}
