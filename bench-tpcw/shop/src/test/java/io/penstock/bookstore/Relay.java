package io.penstock.bookstore;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A proxy that sends each request to the next of some servers, by turns, and says in {@link #SERVER} which it was. Safe
 * for use by many threads.
 */
final class Relay implements AutoCloseable {
    /** The header of an answer with the number of the server that gave it. */
    public static final String SERVER = "X-Server";

    /** What each connection has of its own. */
    private static final Set<String> OWN =
            Set.of("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade");

    private final HttpServer proxy;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger turn = new AtomicInteger();
    private final List<URI> servers;
    private final Consumer<HttpExchange> observer;

    /** @param observer told of each request before it goes on */
    public Relay(List<URI> servers, Consumer<HttpExchange> observer) {
        this.servers = servers;
        this.observer = observer;
        try {
            proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        proxy.setExecutor(threads);
        proxy.createContext("/", this::pass);
        proxy.start();
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + proxy.getAddress().getPort());
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            observer.accept(exchange);
            int server = Math.floorMod(turn.getAndIncrement(), servers.size());
            HttpResponse<byte[]> answer =
                    client.send(request(exchange, servers.get(server)), HttpResponse.BodyHandlers.ofByteArray());
            answer.headers().map().forEach((name, values) -> {
                if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            exchange.getResponseHeaders().set(SERVER, String.valueOf(server));
            boolean empty = answer.body().length == 0;
            if (empty) {
                answer.headers()
                        .firstValue("content-length")
                        .ifPresent(length -> exchange.getResponseHeaders().set("Content-Length", length));
            }
            exchange.sendResponseHeaders(answer.statusCode(), empty ? -1 : answer.body().length);
            exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static HttpRequest request(HttpExchange exchange, URI server) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(server + exchange.getRequestURI().toString()))
                .method(
                        exchange.getRequestMethod(),
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return request.build();
    }

    @Override
    public void close() {
        proxy.stop(0);
        threads.close();
        client.close();
    }
}
