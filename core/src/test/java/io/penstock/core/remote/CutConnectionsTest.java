package io.penstock.core.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.penstock.core.Bytes;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.AwsServers;
import io.penstock.testing.FaultMix;
import io.penstock.testing.FaultProxy.Plug;
import io.penstock.testing.RealServers.Endpoint;
import io.penstock.testing.UnreliableServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever ends a connection, in whatever way, reaches callers as one of our exceptions. */
@Tag("slow")
class CutConnectionsTest {
    private HttpServer server;
    private UnreliableServers servers;
    private AwsServers drivers;

    /** A server that has every object, and answers everything else with nothing. */
    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", CutConnectionsTest::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        servers = new UnreliableServers(new Endpoint(address, address, "any", "any"), 1);
        drivers = AwsServers.at(servers.endpoint(), Duration.ofSeconds(1), new ThreadTasks());
    }

    @AfterEach
    void stop() {
        drivers.close();
        servers.close();
        server.stop(0);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        // Half of an answer is half of its body here, and half of its head elsewhere.
        byte[] body = (exchange.getRequestMethod().equals("GET") ? "x".repeat(1000) : "{}").getBytes();
        exchange.getResponseHeaders().set("ETag", "\"e\"");
        exchange.getResponseHeaders().set("Last-Modified", "Sat, 21 Nov 2026 00:00:00 GMT");
        exchange.sendResponseHeaders(200, exchange.getRequestMethod().equals("HEAD") ? -1 : body.length);
        if (!exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"before", "after", "half", "refused", "silent"})
    void failuresAreOurs(String how) {
        switch (how) {
            case "before" -> servers.setMix(new FaultMix(0, Duration.ZERO, 1, 0, 0, 0));
            case "after" -> servers.setMix(new FaultMix(0, Duration.ZERO, 0, 1, 0, 0));
            case "half" -> servers.setMix(new FaultMix(0, Duration.ZERO, 0, 0, 1, 0));
            case "refused" -> servers.setPlug(Plug.REFUSING);
            default -> servers.setPlug(Plug.BLACK_HOLE);
        }
        ObjectStore objects = drivers.objects();
        QueueService queues = drivers.queues();
        // Several times: connections end in order or by a reset, as the proxy draws it.
        for (int i = 0; i < (how.equals("silent") ? 1 : 8); i++) {
            assertOurs(() -> objects.get("k"));
            assertOurs(() -> objects.put("k", Bytes.utf8("v"), WriteCondition.ALWAYS));
            assertOurs(() -> objects.put("k", Bytes.utf8("v"), WriteCondition.IF_ABSENT));
            assertOurs(() -> objects.delete("k"));
            assertOurs(() -> objects.deleteAll(List.of("k", "l")));
            assertOurs(() -> objects.list("k", "", 10));
            assertOurs(() -> queues.list("q"));
            assertOurs(() -> queues.find("q"));
            assertOurs(() -> queues.delete("q"));
        }
    }

    @Test
    void openingFailsInOurWordsToo() {
        servers.setMix(new FaultMix(0, Duration.ZERO, 1, 0, 0, 0));
        for (int i = 0; i < 8; i++) {
            assertOurs(() -> AwsServers.at(servers.endpoint(), Duration.ofSeconds(1), new ThreadTasks())
                    .close());
        }
    }

    private static void assertOurs(Runnable call) {
        assertThat(catchThrowable(call::run))
                .isInstanceOfAny(UnavailableException.class, OutcomeUnknownException.class);
    }
}
