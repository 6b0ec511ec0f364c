package io.penstock.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import io.penstock.core.Bytes;
import io.penstock.core.remote.ObjectAnswers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpRetryException;
import java.net.HttpURLConnection;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The SDK's HTTP over the JDK's connections: each request on the thread of its caller, each body in memory. The SDK's
 * own clients bring Netty, or log a warning at each put. Safe for use by many threads.
 */
record AzureHttp(Duration connectTimeout, Duration readTimeout) implements HttpClient {
    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return Mono.fromCallable(() -> exchange(request));
    }

    @Override
    public HttpResponse sendSync(HttpRequest request, Context context) {
        try {
            return exchange(request);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HttpResponse exchange(HttpRequest request) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) request.getUrl().openConnection();
        connection.setConnectTimeout((int) connectTimeout.toMillis());
        connection.setReadTimeout((int) readTimeout.toMillis());
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setRequestMethod(request.getHttpMethod().toString());
        request.getHeaders().forEach(header -> connection.setRequestProperty(header.getName(), header.getValue()));
        if (request.getHttpMethod() == HttpMethod.PUT || request.getHttpMethod() == HttpMethod.POST) {
            send(request.getBodyAsBinaryData(), request.getHeaders(), connection);
        }
        return answer(request, connection);
    }

    /** Sends a body as a stream: the JDK repeats other requests by itself when a connection breaks. */
    private static void send(@Nullable BinaryData body, HttpHeaders headers, HttpURLConnection connection)
            throws IOException {
        String told = headers.getValue(HttpHeaderName.CONTENT_LENGTH);
        Long known = body == null ? Long.valueOf(0) : body.getLength();
        connection.setDoOutput(true);
        if (told != null || known != null) {
            connection.setFixedLengthStreamingMode(told == null ? known : Long.parseLong(told));
        } else {
            connection.setChunkedStreamingMode(0);
        }
        try (OutputStream out = connection.getOutputStream()) {
            if (body != null) {
                body.writeTo(out);
            }
        }
    }

    private static HttpResponse answer(HttpRequest request, HttpURLConnection connection) throws IOException {
        int status;
        try {
            status = connection.getResponseCode();
        } catch (HttpRetryException unauthorized) { // in place of the answer to a stream
            return new Answer(request, unauthorized.responseCode(), new HttpHeaders(), Bytes.EMPTY);
        }
        HttpHeaders headers = new HttpHeaders();
        connection.getHeaderFields().forEach((name, values) -> {
            if (name != null) {
                headers.set(HttpHeaderName.fromString(name), values);
            }
        });
        try (InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            boolean empty = body == null || request.getHttpMethod() == HttpMethod.HEAD || status == 304;
            long length = connection.getContentLengthLong();
            Long announced = length < 0 ? null : length;
            if (!empty && request.getHttpMethod() == HttpMethod.GET) {
                ObjectAnswers.requireEnd(announced, connection.getHeaderField("Transfer-Encoding"));
            }
            return new Answer(request, status, headers, empty ? Bytes.EMPTY : ObjectAnswers.body("", announced, body));
        }
    }

    /** An answer whose body is in memory. */
    private static final class Answer extends HttpResponse {
        private final int status;
        private final HttpHeaders headers;
        private final Bytes body;

        Answer(HttpRequest request, int status, HttpHeaders headers, Bytes body) {
            super(request);
            this.status = status;
            this.headers = headers;
            this.body = body;
        }

        @Override
        public int getStatusCode() {
            return status;
        }

        @Override
        @Deprecated
        public @Nullable String getHeaderValue(String name) {
            return headers.getValue(HttpHeaderName.fromString(name));
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public Flux<ByteBuffer> getBody() {
            return Flux.just(ByteBuffer.wrap(body.array(), body.offset(), body.length()));
        }

        @Override
        public BinaryData getBodyAsBinaryData() {
            return BinaryData.fromBytes(body.toArray());
        }

        @Override
        public Mono<byte[]> getBodyAsByteArray() {
            return Mono.just(body.toArray());
        }

        @Override
        public Mono<String> getBodyAsString() {
            return getBodyAsString(StandardCharsets.UTF_8);
        }

        @Override
        public Mono<String> getBodyAsString(Charset charset) {
            return Mono.just(new String(body.toArray(), charset));
        }
    }
}
