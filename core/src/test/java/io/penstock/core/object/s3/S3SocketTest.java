package io.penstock.core.object.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.WriteCondition;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * The failures of a network, on real sockets and with the HTTP client that the library builds, since its exceptions are
 * what counts.
 */
@Timeout(60)
@Tag("slow")
class S3SocketTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

    private ServerSocket server;
    private final AtomicInteger requests = new AtomicInteger();
    private volatile Behaviour behaviour = Behaviour.ANSWER;

    private enum Behaviour {
        ANSWER,
        CUT,
        STAY_SILENT,
        DRIP
    }

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(this::serve);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private void serve() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread.ofPlatform().daemon().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            readHead(socket.getInputStream());
            requests.incrementAndGet();
            OutputStream out = socket.getOutputStream();
            switch (behaviour) {
                case ANSWER -> out.write(OK.getBytes(StandardCharsets.US_ASCII));
                case CUT -> socket.setSoLinger(true, 0);
                case STAY_SILENT -> Thread.sleep(Duration.ofMinutes(2));
                case DRIP -> drip(out);
            }
        } catch (IOException | InterruptedException e) {
            // The client has hung up.
        }
    }

    private static void drip(OutputStream out) throws IOException, InterruptedException {
        out.write(("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\nETag: \"1\"\r\n"
                        + "Last-Modified: Sat, 21 Nov 2026 07:00:00 GMT\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        // Ends some time: a reader that nothing stops fails the test then, and not after the whole body, 83 minutes.
        for (int i = 0; i < 800; i++) {
            out.write('x');
            out.flush();
            Thread.sleep(50);
        }
    }

    private static void readHead(InputStream in) throws IOException {
        int last = 0;
        for (int c = in.read(); c >= 0 && last < 4; c = last < 4 ? in.read() : 0) {
            boolean expected = c == (last % 2 == 0 ? '\r' : '\n');
            last = expected ? last + 1 : c == '\r' ? 1 : 0;
        }
    }

    private S3Settings settings(String host, int port) {
        return S3Settings.bucket("bucket")
                .endpoint(URI.create("http://" + host + ":" + port))
                .pathStyle(true)
                .readTimeout(Duration.ofSeconds(1))
                .callTimeout(Duration.ofSeconds(5))
                .credentials(StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")));
    }

    private S3ObjectStore store() {
        return S3ObjectStore.open(settings("127.0.0.1", server.getLocalPort()));
    }

    @Test
    void refusedConnectionIsNotDone() throws IOException {
        int port = server.getLocalPort();
        S3ObjectStore store = store();
        server.close();
        assertThatThrownBy(() -> store.put("a", Bytes.utf8("x"), WriteCondition.IF_ABSENT))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("stage=NOT_SENT")
                .hasMessageContaining("ConnectException");
        assertThatThrownBy(() -> S3ObjectStore.open(settings("127.0.0.1", port)))
                .isInstanceOf(UnavailableException.class);
    }

    @Test
    void addressThatIsNotKnownIsNotDone() {
        assertThatThrownBy(() -> S3ObjectStore.open(settings("no-such-host.invalid", 80)))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("stage=NOT_SENT")
                .hasMessageContaining("UnknownHostException");
    }

    @Test
    void silenceAfterARequestIsNotKnown() {
        S3ObjectStore store = store();
        behaviour = Behaviour.STAY_SILENT;
        assertThatThrownBy(() -> store.put("a", Bytes.utf8("x"), WriteCondition.IF_ABSENT))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("stage=LOST")
                .hasMessageContaining("SocketTimeoutException");
        assertThatThrownBy(() -> store.get("a")).isInstanceOf(UnavailableException.class);
    }

    /** Nor does the JDK's client send a put again by itself, as it does with requests that have no body. */
    @Test
    void connectionCutAfterARequestIsNotKnown() {
        S3ObjectStore store = store();
        behaviour = Behaviour.CUT;
        int before = requests.get();
        for (String body : new String[] {"x", ""}) {
            assertThatThrownBy(() -> store.put("a", Bytes.utf8(body), WriteCondition.IF_ABSENT))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("stage=LOST");
        }
        assertThat(requests.get() - before).isEqualTo(2);
        assertThatThrownBy(() -> store.delete("a")).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void answerThatDripsEndsWithTheCall() {
        S3ObjectStore store = store();
        behaviour = Behaviour.DRIP;
        assertThatThrownBy(() -> store.get("a"))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("ApiCallTimeoutException");
        assertThat(Thread.interrupted()).isFalse();
    }
}
