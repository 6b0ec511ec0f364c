package io.penstock.console;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.penstock.core.ErrorCode;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Tasks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A web server of the console on the loopback interface of this machine. It answers whoever can connect there. Safe for
 * use by many threads.
 */
public final class ConsoleServer implements AutoCloseable {
    /** The names under which a browser of this machine knows the server: a page elsewhere may have others lead here. */
    private static final Pattern OWN_HOST = Pattern.compile("(localhost|127\\.0\\.0\\.1|\\[::1])(:[0-9]+)?");

    private final HttpServer server;

    private ConsoleServer(HttpServer server) {
        this.server = server;
    }

    /**
     * Starts a server.
     *
     * @param tasks that answer
     * @param port 0 for any that is free
     */
    public static ConsoleServer start(Console console, Tasks tasks, int port) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            server.setExecutor(request -> {
                var unused = tasks.start("console", request);
            });
            server.createContext("/", exchange -> {
                try (exchange) {
                    send(exchange, answer(console, exchange));
                }
            });
            server.start();
            return new ConsoleServer(server);
        } catch (IOException e) {
            throw new UnavailableException(
                    ErrorCode.UNAVAILABLE, "the console cannot listen there; give another port", e, "port", port);
        }
    }

    /** The address of the first page. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    private static Answer answer(Console console, HttpExchange exchange) {
        String method = exchange.getRequestMethod();
        String host = exchange.getRequestHeaders().getFirst("Host");
        if (host == null || !OWN_HOST.matcher(host).matches()) {
            return refusal(403, "the console answers under localhost and 127.0.0.1 alone");
        }
        if (!method.equals("GET") && !method.equals("HEAD")) {
            exchange.getResponseHeaders().set("Allow", "GET, HEAD");
            return refusal(405, "the console only shows; it takes no " + method);
        }
        List<String> path = path(exchange.getRequestURI());
        return console.answer("../".repeat(Math.max(0, path.size() - 1)), path);
    }

    private static Answer refusal(int status, String why) {
        return new Answer(status, "text/plain;charset=utf-8", (why + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** The parts of a path, decoded; a URI is encoded well. */
    private static List<String> path(URI address) {
        String path = address.getRawPath().substring(1);
        return path.isEmpty()
                ? List.of()
                : Arrays.stream(path.split("/", -1))
                        .map(part -> URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8))
                        .toList();
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", answer.type());
        headers.set("Content-Security-Policy", Answer.POLICY + "; frame-ancestors 'none'");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cache-Control", "no-store");
        if (exchange.getRequestMethod().equals("HEAD")) {
            headers.set("Content-Length", Integer.toString(answer.body().length));
            exchange.sendResponseHeaders(answer.status(), -1);
        } else {
            exchange.sendResponseHeaders(answer.status(), answer.body().length);
            exchange.getResponseBody().write(answer.body());
        }
    }

    /** Ends it at once. */
    @Override
    public void close() {
        server.stop(0);
    }
}
