package io.penstock.bench.tpcw.shop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.penstock.bench.tpcw.bookstore.ShopException;
import io.penstock.core.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The shop on the HTTP server of the JDK, on the loopback interface. Forms need the visitor's token, cookies are
 * neither sent by other sites nor shown to scripts, and pages may load nothing but this server's style and script.
 */
public final class ShopWebServer implements AutoCloseable {
    private static final String COOKIE = "visitor";

    /** Of shops with several servers. */
    private static final String PASSPORT = "passport";

    private static final int BODY_BYTES_MAX = 64 << 10;
    private static final int QUERY_CHARACTERS_MAX = 8 << 10;
    private static final String POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self';"
            + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
    private static final Set<String> FILES = Set.of("shop.css", "live.js");

    private final HttpServer http;
    private final Routes routes;
    private final WebSessions sessions;
    private final Supplier<String> live;
    private final String level;

    /**
     * @param port 0 for any that is free
     * @param level shown on each page
     * @param live the JSON of the page that is alive
     */
    ShopWebServer(int port, Routes routes, WebSessions sessions, String level, Supplier<String> live) {
        this.routes = routes;
        this.sessions = sessions;
        this.level = level;
        this.live = live;
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new UncheckedIOException("port " + port + " is not free; name another with --port", e);
        }
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/", this::handle);
        http.start();
    }

    public int port() {
        return http.getAddress().getPort();
    }

    @Override
    public void close() {
        http.stop(0);
    }

    private record Answer(int status, String type, byte[] body) {
        static Answer text(int status, String type, String body) {
            return new Answer(status, type + "; charset=utf-8", body.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer;
            try {
                answer = answer(exchange);
            } catch (ShopException refused) {
                answer = page(400, new Routes.Page("Not like this", problem(refused.getMessage())));
            } catch (StoreException failed) {
                answer = page(503, new Routes.Page("Try again", problem("The store did not answer. Nothing is lost.")));
            }
            exchange.getResponseHeaders().set("Content-Type", answer.type);
            exchange.getResponseHeaders().set("Content-Security-Policy", POLICY);
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.sendResponseHeaders(answer.status, answer.body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(answer.body);
            }
        }
    }

    private static String problem(@Nullable String message) {
        return "<p role=\"alert\">" + Pages.text(String.valueOf(message)) + "</p>";
    }

    private Answer answer(HttpExchange exchange) throws IOException {
        String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
        if (!host.equals("localhost:" + port()) && !host.equals("127.0.0.1:" + port())) {
            return Answer.text(421, "text/plain", "This shop is at 127.0.0.1 only.\n");
        }
        String path = exchange.getRequestURI().getPath();
        if (path.equals("/live.json")) {
            return Answer.text(200, "application/json", live.get());
        }
        if (FILES.contains(path.substring(1))) {
            return file(path.substring(1));
        }
        return visit(exchange, path);
    }

    private Answer visit(HttpExchange exchange, String path) throws IOException {
        boolean post = exchange.getRequestMethod().equals("POST");
        String query = exchange.getRequestURI().getRawQuery();
        if (query != null && query.length() > QUERY_CHARACTERS_MAX) {
            throw new ShopException("That is too much text.");
        }
        Form form = Form.parse(post ? body(exchange) : query);
        String cookie = cookie(exchange, COOKIE);
        Optional<WebSession> known = sessions.find(cookie);
        if (known.isEmpty()) {
            Optional<String> arrived = sessions.arrive(cookie(exchange, PASSPORT));
            if (arrived.isPresent()) {
                cookie = arrived.get();
                known = sessions.find(cookie);
                give(exchange, COOKIE, cookie);
            }
        }
        if (post && (known.isEmpty() || !sameToken(known.get(), form))) {
            return page(
                    403, new Routes.Page("Begin again", problem("Your visit has ended, or this form is not ours.")));
        }
        if (known.isEmpty()) {
            cookie = sessions.begin();
            give(exchange, COOKIE, cookie);
        }
        WebSession visitor = sessions.find(cookie).orElseThrow();
        if (path.equals("/live")) {
            return page(200, LivePage.PAGE);
        }
        String request = exchange.getRequestMethod() + " " + path;
        Optional<Routes.Page> found = routes.answer(request, form, visitor);
        if (request.equals("POST /buy")) {
            give(exchange, COOKIE, sessions.renew(cookie));
        }
        sessions.passport(visitor).ifPresent(passport -> give(exchange, PASSPORT, passport));
        return found.map(shown -> page(200, shown))
                .orElseGet(() -> page(404, new Routes.Page("Not here", problem("There is no such page."))));
    }

    private static boolean sameToken(WebSession visitor, Form form) {
        return MessageDigest.isEqual(
                visitor.formToken().getBytes(StandardCharsets.UTF_8),
                form.optional("token").getBytes(StandardCharsets.UTF_8));
    }

    private static void give(HttpExchange exchange, String name, String cookie) {
        exchange.getResponseHeaders().add("Set-Cookie", name + "=" + cookie + "; Path=/; HttpOnly; SameSite=Strict");
    }

    private static String cookie(HttpExchange exchange, String name) {
        for (String header : exchange.getRequestHeaders().getOrDefault("Cookie", List.of())) {
            for (String pair : header.split(";")) {
                String[] parts = pair.strip().split("=", 2);
                if (parts.length == 2 && parts[0].equals(name)) {
                    return parts[1];
                }
            }
        }
        return "";
    }

    private static String body(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
        if (body.length > BODY_BYTES_MAX) {
            throw new ShopException("That is too much text.");
        }
        return new String(body, StandardCharsets.UTF_8);
    }

    private Answer page(int status, Routes.Page page) {
        String title = Pages.text(page.title());
        return Answer.text(status, "text/html", """
                <!DOCTYPE html>
                <html lang="en"><head><meta charset="utf-8"><title>%s</title>
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <link rel="stylesheet" href="/shop.css"></head><body>
                <header><nav><a href="/">Home</a> <a href="/search">Search</a> <a href="/cart">Cart</a>
                <a href="/orders">Orders</a> <a href="/live">Live</a></nav><span>%s</span></header>
                <main><h1>%s</h1>%s</main></body></html>
                """.formatted(title, Pages.text(level), title, page.body()));
    }

    private static Answer file(String name) throws IOException {
        try (InputStream in = ShopWebServer.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the build; build bench-tpcw again");
            }
            String type = name.endsWith(".css") ? "text/css" : "text/javascript";
            return Answer.text(200, type, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
