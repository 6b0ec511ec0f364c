package io.penstock.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server on the loopback interface that answers requests in turn, and those after the last answer with that, until it
 * is changed.
 */
public final class HttpFace implements AutoCloseable {
    /** An answer; a status of 0 ends the connection without one. */
    public record Reply(int status, Map<String, String> headers, String body) {
        /** The end of a connection without an answer. */
        public static final Reply LOST = new Reply(0, Map.of(), "");
    }

    private final HttpServer server;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private volatile List<Reply> replies;

    public HttpFace(Reply first) {
        replies = List.of(first);
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.start();
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Sets the answers to what follows, and forgets the requests before. */
    public HttpFace then(Reply... next) {
        replies = List.of(next);
        turn.set(0);
        requests.clear();
        return this;
    }

    private Reply next() {
        List<Reply> now = replies;
        return now.get(Math.min(turn.getAndIncrement(), now.size() - 1));
    }

    /** The methods of the requests since the answer was set. */
    public List<String> requests() {
        return requests;
    }

    private void answer(HttpExchange exchange) throws IOException {
        Reply now = next();
        requests.add(exchange.getRequestMethod());
        exchange.getRequestBody().readAllBytes();
        if (now.status() != 0) {
            byte[] body = now.body().getBytes(StandardCharsets.UTF_8);
            now.headers().forEach(exchange.getResponseHeaders()::set);
            boolean none = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(now.status(), none ? -1 : body.length);
            if (!none) {
                try (OutputStream out = exchange.getResponseBody()) {
                    out.write(body);
                }
            }
        }
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
