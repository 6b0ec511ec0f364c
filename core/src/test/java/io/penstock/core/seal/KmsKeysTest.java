package io.penstock.core.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.kms.KmsClient;

/** Master keys of KMS, on a small server that does what it does with keys. */
class KmsKeysTest {
    private static final Bytes DATA_KEY = Bytes.utf8("a data key of thirty-two bytes..");
    private static final Bytes CONTEXT = Bytes.utf8("penstock values");

    private final MasterKeys inside = MasterKeys.given(TestKeys.line("one", 1) + "\n" + TestKeys.line("two", 2));
    private HttpServer server;
    private volatile int status;
    private volatile String error = "NotFoundException";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static String field(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
        return found.find() ? found.group(1) : "";
    }

    /** The sealed form names its key, as that of KMS does. */
    private String answer(String request, boolean encrypts) {
        Bytes context = Bytes.utf8(field(request, "penstock"));
        if (encrypts) {
            String name = field(request, "KeyId");
            Bytes plain = Bytes.wrap(Base64.getDecoder().decode(field(request, "Plaintext")));
            String sealed = Base64.getEncoder()
                    .encodeToString(Bytes.utf8(name)
                            .concat(inside.seal(name, plain, context))
                            .toArray());
            return "{\"CiphertextBlob\":\"" + sealed + "\",\"KeyId\":\"" + name + "\"}";
        }
        Bytes sealed = Bytes.wrap(Base64.getDecoder().decode(field(request, "CiphertextBlob")));
        Bytes plain = inside.open(sealed.slice(0, 3).toUtf8(), sealed.slice(3, sealed.length()), context);
        return "{\"Plaintext\":\"" + Base64.getEncoder().encodeToString(plain.toArray()) + "\"}";
    }

    private void answer(HttpExchange exchange) throws IOException {
        String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
        String request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String text;
        int said = status == 0 ? 200 : status;
        try {
            text = said == 200 ? answer(request, target.equals("TrentService.Encrypt")) : "{}";
        } catch (InvalidRequestException refused) {
            said = 400;
            text = "{\"__type\":\"" + error + "\",\"message\":\"no\"}";
        }
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
        exchange.sendResponseHeaders(said, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private KmsClient client() {
        return KmsClient.builder()
                .httpClient(UrlConnectionHttpClient.create())
                .endpointOverride(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("a", "b")))
                .overrideConfiguration(with -> with.retryStrategy(retry -> retry.maxAttempts(1)))
                .build();
    }

    @Test
    void dataKeysOpenInTheirContext() {
        try (KmsClient client = client()) {
            MasterKeys keys = new KmsKeys(client, "one");
            assertThat(keys.current()).isEqualTo("one");
            Bytes sealed = keys.seal("one", DATA_KEY, CONTEXT);
            assertThat(keys.open("one", sealed, CONTEXT)).isEqualTo(DATA_KEY);
            assertThat(new KmsKeys(client, "two").open("one", sealed, CONTEXT)).isEqualTo(DATA_KEY);
            assertRefused(() -> keys.open("one", sealed, Bytes.utf8("another context")));
            assertRefused(() -> keys.seal("none", DATA_KEY, CONTEXT));
            ValueSeal values = new ValueSeal(keys, "two");
            assertThat(new ValueSeal(keys, "one").open(values.seal(CONTEXT))).isEqualTo(CONTEXT);
        }
    }

    private static void assertRefused(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        InvalidRequestException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.NO_KEY));
    }

    @Test
    void whoMayNotUseAKeyIsToldSo() {
        try (KmsClient client = client()) {
            error = "AccessDeniedException";
            assertThatThrownBy(() -> new KmsKeys(client, "none").seal("none", DATA_KEY, CONTEXT))
                    .isInstanceOfSatisfying(
                            InvalidRequestException.class,
                            refusal -> assertThat(refusal.getMessage())
                                    .contains("may be used", "master=none", "code=AccessDeniedException")
                                    .doesNotContain("\n"));
        }
    }

    @Test
    void aServerThatFailsIsUnavailable() {
        try (KmsClient client = client()) {
            MasterKeys keys = new KmsKeys(client, "one");
            status = 500;
            assertThatThrownBy(() -> keys.seal("one", DATA_KEY, CONTEXT)).isInstanceOf(UnavailableException.class);
            server.stop(0);
            assertThatThrownBy(() -> keys.seal("one", DATA_KEY, CONTEXT)).isInstanceOf(UnavailableException.class);
        }
    }

    /** Whoever has no region anywhere. */
    static final class NoRegion {
        private NoRegion() {}

        public static void main(String[] arguments) {
            try {
                MasterKeys.of("kms:alias/store");
            } catch (InvalidRequestException refused) {
                System.out.println(refused.code() + " " + refused.getMessage());
            }
        }
    }

    @Test
    void withoutARegionItIsASettingThatIsWrong() throws IOException {
        ProcessBuilder program = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                NoRegion.class.getName());
        Map<String, String> environment = program.environment();
        environment.keySet().removeIf(name -> name.startsWith("AWS_"));
        environment.put("AWS_CONFIG_FILE", "none");
        environment.put("AWS_SHARED_CREDENTIALS_FILE", "none");
        environment.put("AWS_EC2_METADATA_DISABLED", "true");
        Process process = program.redirectErrorStream(true).start();
        try {
            assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("INVALID_SETTING no kms client can be built; name region and credentials in the"
                            + " environment master=alias/store");
        } finally {
            process.destroyForcibly();
        }
    }
}
