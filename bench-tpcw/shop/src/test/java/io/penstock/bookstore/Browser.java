package io.penstock.bookstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A browser of one person, who may go from server to server of a shop. It follows no redirects. For one thread. */
final class Browser implements AutoCloseable {
    private final CookieManager cookies = new CookieManager();
    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(cookies).build();
    private URI server;

    Browser(URI server) {
        this.server = server;
    }

    /** The same person at another server. */
    Browser at(URI other) {
        server = other;
        return this;
    }

    HttpResponse<String> get(String path) {
        return send(request(path).GET());
    }

    HttpResponse<String> post(String path, Map<String, ?> fields) {
        String body = fields.entrySet().stream()
                .map(field -> encode(field.getKey()) + "=" + encode(String.valueOf(field.getValue())))
                .collect(Collectors.joining("&"));
        return send(path, "application/x-www-form-urlencoded", body);
    }

    HttpResponse<String> send(String path, String type, String body) {
        return send(request(path).header("Content-Type", type).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /** Sends a form with the visitor's token, as any page with a form has it. */
    HttpResponse<String> submit(String path, Map<String, ?> fields) {
        Map<String, Object> all = new LinkedHashMap<>(fields);
        all.put("token", token());
        return post(path, all);
    }

    String token() {
        return found("name=\"token\" value=\"([0-9a-f]+)\"", get("/orders").body());
    }

    String cookie(String name) {
        return cookies.getCookieStore().getCookies().stream()
                .filter(cookie -> cookie.getName().equals(name))
                .map(HttpCookie::getValue)
                .findFirst()
                .orElse("");
    }

    void setCookie(String name, String value) {
        HttpCookie cookie = new HttpCookie(name, value);
        cookie.setPath("/");
        cookie.setVersion(0);
        cookies.getCookieStore().add(server, cookie);
    }

    /** What a pattern finds in a page. */
    static String found(String pattern, String page) {
        Matcher found = Pattern.compile(pattern).matcher(page);
        assertThat(found.find()).as("%s in %s", pattern, page).isTrue();
        return found.group(1);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.resolve(path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
