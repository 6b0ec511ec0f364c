package io.penstock.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testing.RealServers.Endpoint;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The servers that other tests rely on: they start, answer, can be unplugged, and come back at the same address. */
@Tag("servers")
class PrivateServerTest {
    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void theSharedLocalstackServesBoth() throws Exception {
        Endpoint shared = RealServers.localstack();

        assertThat(get(shared.s3(), "/_localstack/health").body())
                .contains("\"s3\": \"running\"", "\"sqs\": \"running\"");
        assertThat(shared.sqs()).isEqualTo(shared.s3());
        assertThat(RealServers.localstack()).isSameAs(shared);
    }

    @Test
    void aPausedServerDoesNotAnswerAndGoesOn() throws Exception {
        try (PrivateServer server = PrivateServer.localstack()) {
            put(server.endpoint().s3(), "/plugs", "");
            put(server.endpoint().s3(), "/plugs/one", "kept");

            server.pause();
            assertThatThrownBy(() -> get(server.endpoint().s3(), "/plugs/one"))
                    .isInstanceOf(HttpTimeoutException.class);
            server.resume();

            assertThat(get(server.endpoint().s3(), "/plugs/one").body()).isEqualTo("kept");
        }
    }

    @Test
    void aKilledLocalstackComesBackEmptyAtItsAddress() throws Exception {
        PrivateServer server = PrivateServer.localstack();
        URI address = server.endpoint().s3();
        try (server) {
            put(address, "/plugs", "");

            server.kill();
            assertThatThrownBy(() -> get(address, "/plugs")).isInstanceOf(ConnectException.class);
            server.restart();

            assertThat(get(address, "/plugs").statusCode()).isEqualTo(404);
        }
        assertThatThrownBy(() -> get(address, "/plugs")).isInstanceOf(ConnectException.class);
    }

    @Test
    void aKilledVersitygwComesBackAtItsAddress() throws Exception {
        try (PrivateServer server = PrivateServer.versitygw()) {
            URI address = server.endpoint().s3();
            assertThat(get(address, "/health").statusCode()).isEqualTo(200);

            server.kill();
            assertThatThrownBy(() -> get(address, "/health")).isInstanceOf(ConnectException.class);
            server.restart();

            assertThat(get(address, "/health").statusCode()).isEqualTo(200);
        }
    }

    private HttpResponse<String> get(URI server, String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(server.resolve(path)));
    }

    private void put(URI server, String path, String body) throws IOException, InterruptedException {
        assertThat(send(HttpRequest.newBuilder(server.resolve(path)).PUT(BodyPublishers.ofString(body)))
                        .statusCode())
                .isEqualTo(200);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.timeout(Duration.ofSeconds(5)).build(), BodyHandlers.ofString());
    }
}
