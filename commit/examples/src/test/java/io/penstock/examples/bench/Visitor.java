package io.penstock.examples.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.jspecify.annotations.Nullable;

/** A user with a browser: keeps the session's cookie, and follows redirects if asked to. For one thread. */
public final class Visitor {
    private final HttpClient client;
    private URI site;
    private @Nullable String cookie;

    public Visitor(HttpClient client, URI site) {
        this.client = client;
        this.site = site;
    }

    /** The same user at another server. */
    public Visitor at(URI server) {
        site = server;
        return this;
    }

    public HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(site.resolve(path)).GET());
    }

    public HttpResponse<String> post(String path, String type, String body) {
        return send(HttpRequest.newBuilder(site.resolve(path))
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    public HttpResponse<String> put(String path, String json) {
        return send(HttpRequest.newBuilder(site.resolve(path))
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(json)));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        if (cookie != null) {
            request.header("Cookie", cookie);
        }
        try {
            HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            answer.headers().firstValue("Set-Cookie").ifPresent(set -> cookie = set.substring(0, set.indexOf(';')));
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
