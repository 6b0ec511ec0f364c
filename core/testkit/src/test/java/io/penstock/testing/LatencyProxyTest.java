package io.penstock.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.penstock.testing.LatencyProxy.Bill;
import io.penstock.testkit.CloudCall;
import io.penstock.testkit.LogNormal;
import io.penstock.testkit.PriceList;
import io.penstock.testkit.Profile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LatencyProxyTest {
    private static final double PUT_DOLLARS = 3;
    private static final double GET_DOLLARS = 0.5;
    private static final double SQS_DOLLARS = 0.125;
    private static final Profile CLOUD = new Profile(
            "late",
            Map.of(CloudCall.PUT, new LogNormal(50, 50, 0)),
            new PriceList(PUT_DOLLARS, GET_DOLLARS, 0, 0, SQS_DOLLARS, 0, 0),
            Profile.AWS_2026.limits());

    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;
    private LatencyProxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", LatencyProxyTest::echo);
        server.start();
        proxy = LatencyProxy.to(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()), CLOUD, 1);
    }

    @AfterEach
    void stop() {
        client.close();
        proxy.close();
        server.stop(0);
    }

    private static void echo(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String ask(String method, String path, String action, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(proxy.address().resolve(path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!action.isEmpty()) {
            request.header("X-Amz-Target", "AmazonSQS." + action);
        }
        return client.send(request.build(), BodyHandlers.ofString()).body();
    }

    @Test
    void answersAreWholeAndNoSoonerThanTheCloudGivesThem() throws Exception {
        long begun = System.nanoTime();
        assertThat(ask("PUT", "/bucket/key", "", "body")).isEqualTo("body");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
    }

    @Test
    void eachKindOfRequestHasItsPrice() throws Exception {
        ask("PUT", "/bucket/key", "", "body");
        Bill before = proxy.bill();
        ask("GET", "/bucket/key", "", "");
        ask("HEAD", "/bucket/key", "", "");
        ask("GET", "/bucket?list-type=2", "", "");
        ask("DELETE", "/bucket/key", "", "");
        ask("POST", "/bucket?delete", "", "keys");
        ask("POST", "/", "SendMessage", "x".repeat((64 << 10) + 1));
        ask("POST", "/", "ReceiveMessage", "x");
        ask("POST", "/", "DeleteMessageBatch", "x");
        ask("POST", "/", "CreateQueue", "x");
        assertThat(before).isEqualTo(new Bill(Map.of(CloudCall.PUT, 1L), PUT_DOLLARS));
        Bill bill = proxy.bill().since(before);
        assertThat(bill.requests())
                .isEqualTo(Map.of(
                        CloudCall.PUT, 0L,
                        CloudCall.GET, 2L,
                        CloudCall.LIST, 1L,
                        CloudCall.REMOVE, 2L,
                        CloudCall.SEND, 1L,
                        CloudCall.RECEIVE, 1L,
                        CloudCall.ACKNOWLEDGE, 1L,
                        CloudCall.MANAGE, 1L));
        assertThat(bill.dollars()).isEqualTo(2 * GET_DOLLARS + PUT_DOLLARS + 5 * SQS_DOLLARS);
        assertThat(bill.count()).isEqualTo(9);
        assertThat(bill.and(before).count()).isEqualTo(10);
    }
}
