package io.penstock.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.penstock.testing.FaultMix.Fault;
import io.penstock.testing.FaultProxy.Dialect;
import io.penstock.testing.FaultProxy.Plug;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each fault of the proxy, shown on a server that echoes what it is sent. */
class FaultProxyTest {
    private static final Duration MOMENT = Duration.ofMillis(200);

    private final List<String> effects = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private FaultProxy proxy;
    private HttpClient http;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::echo);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        proxy = FaultProxy.to(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()), Dialect.S3, 1);
        http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    @AfterEach
    void stop() {
        proxy.close();
        server.stop(0);
    }

    /** Echoes the body; chunked if the path says so. */
    private void echo(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        effects.add(exchange.getRequestMethod() + " " + new String(body));
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", "1000");
            exchange.sendResponseHeaders(200, -1);
        } else if (exchange.getRequestURI().getPath().equals("/empty")) {
            exchange.sendResponseHeaders(204, -1);
        } else {
            exchange.sendResponseHeaders(200, exchange.getRequestURI().getPath().equals("/chunks") ? 0 : body.length);
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(proxy.address().resolve(path)).timeout(Duration.ofSeconds(20));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> put(String body) throws IOException, InterruptedException {
        return send(to("/").PUT(BodyPublishers.ofString(body)));
    }

    @Test
    void passesEveryShapeOfMessageOnOneConnection() throws Exception {
        assertThat(put("sized").body()).isEqualTo("sized");
        assertThat(put("").body()).isEmpty();
        assertThat(send(to("/chunks").PUT(BodyPublishers.ofString("x".repeat(100_000))))
                        .body())
                .hasSize(100_000);
        assertThat(send(to("/").PUT(BodyPublishers.fromPublisher(BodyPublishers.ofString("in chunks"))))
                        .body())
                .isEqualTo("in chunks");
        assertThat(send(to("/").HEAD()).headers().firstValue("content-length")).hasValue("1000");
        assertThat(send(to("/empty").GET()).statusCode()).isEqualTo(204);
        assertThat(send(to("/").expectContinue(true).PUT(BodyPublishers.ofString("waited")))
                        .body())
                .isEqualTo("waited");

        assertThat(proxy.counts().get(Fault.NONE)).isEqualTo(7);
        assertThat(proxy.connections()).isEqualTo(1);
    }

    @Test
    void cutsBeforeTheEffect() {
        proxy.setMix(new FaultMix(0, Duration.ZERO, 1, 0, 0, 0));

        assertThatThrownBy(() -> put("lost")).isInstanceOf(IOException.class);

        assertThat(effects).isEmpty();
        assertThat(proxy.count(Fault.CUT_BEFORE)).isPositive();
    }

    @Test
    void cutsAfterTheEffect() {
        proxy.setMix(new FaultMix(0, Duration.ZERO, 0, 1, 0, 0));

        assertThatThrownBy(() -> put("done")).isInstanceOf(IOException.class);

        assertThat(effects).contains("PUT done").hasSize((int) proxy.count(Fault.CUT_AFTER));
    }

    @Test
    void cutsAnAnswerInTheMiddle() {
        proxy.setMix(new FaultMix(0, Duration.ZERO, 0, 0, 1, 0));
        String body = "b".repeat(50_000);

        assertThatThrownBy(() -> put(body)).isInstanceOf(IOException.class);

        assertThat(effects).containsExactly("PUT " + body);
        assertThat(proxy.count(Fault.HALF_ANSWER)).isEqualTo(1);
    }

    @Test
    void throttlesInTheServersWords() throws Exception {
        proxy.setMix(new FaultMix(0, Duration.ZERO, 0, 0, 0, 1));

        HttpResponse<String> s3 = put("never");

        assertThat(s3.statusCode()).isEqualTo(503);
        assertThat(s3.body()).contains("<Code>SlowDown</Code>");
        assertThat(effects).isEmpty();
        assertThat(proxy.count(Fault.THROTTLE)).isEqualTo(1);
        try (FaultProxy queues = FaultProxy.to(proxy.address(), Dialect.SQS, 1)) {
            queues.setMix(new FaultMix(0, Duration.ZERO, 0, 0, 0, 1));
            HttpResponse<String> sqs = send(HttpRequest.newBuilder(queues.address()));
            assertThat(sqs.statusCode()).isEqualTo(400);
            assertThat(sqs.body()).contains("com.amazonaws.sqs#RequestThrottled");
        }
    }

    @Test
    void delays() throws Exception {
        proxy.setMix(new FaultMix(1, MOMENT, 0, 0, 0, 0));
        long begun = System.nanoTime();

        for (int i = 0; i < 10; i++) {
            assertThat(put("late").body()).isEqualTo("late");
        }

        // Ten draws of 0 to 200 ms that follow from the seed: their sum is far above this.
        assertThat(System.nanoTime() - begun).isGreaterThan(MOMENT.toNanos());
        assertThat(proxy.count(Fault.DELAY)).isEqualTo(10);
    }

    @Test
    @Tag("slow")
    void drawsEveryFaultAsOftenAsTheMixSays() throws Exception {
        proxy.setMix(FaultMix.each(0.1, Duration.ofMillis(1)));

        int failed = 0;
        for (int i = 0; i < 1000; i++) {
            try {
                put("a");
            } catch (IOException cut) {
                failed++;
            }
        }

        assertThat(failed).isPositive();
        for (Fault fault : List.of(Fault.DELAY, Fault.CUT_BEFORE, Fault.CUT_AFTER, Fault.HALF_ANSWER, Fault.THROTTLE)) {
            assertThat(proxy.count(fault)).as("%s", fault).isBetween(50L, 150L);
        }
        assertThat(proxy.count(Fault.NONE)).isBetween(350L, 650L);
    }

    @Test
    void refusesConnectionsUntilPluggedInAgain() throws Exception {
        put("before");
        proxy.setPlug(Plug.REFUSING);
        // The first may still go out on the connection that is being closed: it must have no effect either.
        assertThatThrownBy(() -> put("away")).isInstanceOf(IOException.class);
        assertThat(Stream.of(1, 2, 3))
                .allSatisfy(i -> assertThatThrownBy(() -> put("away")).isInstanceOf(ConnectException.class));
        proxy.setPlug(Plug.IN);

        assertThat(put("after").body()).isEqualTo("after");
        assertThat(effects).containsExactly("PUT before", "PUT after");
    }

    @Test
    void swallowsRequestsOfOldAndNewConnections() throws Exception {
        put("before");
        proxy.setPlug(Plug.BLACK_HOLE);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> send(to("/").timeout(MOMENT).PUT(BodyPublishers.ofString("away"))))
                    .isInstanceOf(HttpTimeoutException.class);
        }
        proxy.setPlug(Plug.IN);

        assertThat(put("after").body()).isEqualTo("after");
        assertThat(effects).containsExactly("PUT before", "PUT after");
        assertThat(proxy.count(Fault.SWALLOWED)).isEqualTo(2);
    }
}
