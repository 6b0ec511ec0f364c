package io.penstock.testing;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * The HTTP client of the AWS SDK without a network: each request gets the next reply of a script. Threads may share it.
 */
public final class ScriptedHttp implements SdkHttpClient {
    /** The fate of a request. */
    @FunctionalInterface
    public interface Reply {
        HttpExecuteResponse to(HttpExecuteRequest request) throws IOException;
    }

    private final Queue<Reply> script = new ConcurrentLinkedQueue<>();
    private final List<String> requests = new ArrayList<>();

    /** Adds a reply to the end of the script. */
    public ScriptedHttp then(Reply reply) {
        script.add(reply);
        return this;
    }

    /** Drops what is left of the script. */
    public void forget() {
        script.clear();
    }

    /** Method and path of every request so far. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        return new ExecutableHttpRequest() {
            @Override
            public HttpExecuteResponse call() throws IOException {
                requests.add(request.httpRequest().method() + " "
                        + request.httpRequest().encodedPath());
                Reply reply = script.poll();
                if (reply == null) {
                    throw new IllegalStateException("the script has no reply left for " + requests);
                }
                return reply.to(request);
            }

            @Override
            public void abort() {}
        };
    }

    @Override
    public void close() {}

    /** A builder for clients of the SDK. */
    public Builder builder() {
        return new Builder(this);
    }

    /** Builds any HTTP client that is there already. */
    public static final class Builder implements SdkHttpClient.Builder<Builder> {
        private final SdkHttpClient client;

        public Builder(SdkHttpClient client) {
            this.client = client;
        }

        @Override
        public SdkHttpClient buildWithDefaults(AttributeMap defaults) {
            return client;
        }
    }

    /** The bytes that a request sends. */
    public static byte[] body(HttpExecuteRequest request) throws IOException {
        return request.contentStreamProvider().orElseThrow().newStream().readAllBytes();
    }

    /** An answer. */
    public static Reply answer(int status, Map<String, String> headers, byte[] body) {
        return request -> response(status, headers, body);
    }

    /** An answer, now. */
    public static HttpExecuteResponse response(int status, Map<String, String> headers, byte[] body) {
        SdkHttpFullResponse.Builder head = SdkHttpFullResponse.builder().statusCode(status);
        headers.forEach(head::putHeader);
        head.putHeader("Content-Length", String.valueOf(body.length));
        return HttpExecuteResponse.builder()
                .response(head.build())
                .responseBody(AbortableInputStream.create(new ByteArrayInputStream(body)))
                .build();
    }

    /** An error as S3 writes it; {@code text} is what the server says beyond the code. An empty code: no body. */
    public static Reply s3Error(int status, String code, String text) {
        String xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>" + code + "</Code><Message>" + text
                + "</Message><Resource>" + text + "</Resource><RequestId>REQ1</RequestId></Error>";
        return answer(status, Map.of("x-amz-request-id", "REQ1"), code.isEmpty() ? new byte[0] : utf8(xml));
    }

    /** An error as SQS writes it. */
    public static Reply sqsError(int status, String code, String text) {
        String json = "{\"__type\":\"com.amazonaws.sqs#" + code + "\",\"message\":\"" + text + "\"}";
        Map<String, String> headers = Map.of("x-amzn-RequestId", "REQ1", "Content-Type", "application/x-amz-json-1.0");
        return answer(status, headers, code.isEmpty() ? new byte[0] : utf8(json));
    }

    /** An answer of SQS. */
    public static Reply json(String body) {
        return answer(200, Map.of("Content-Type", "application/x-amz-json-1.0"), utf8(body));
    }

    /** The request is sent, or not; in any case there is no answer. */
    public static Reply failure(IOException failure) {
        return request -> {
            throw failure;
        };
    }

    /** Waits until the thread is interrupted, as a blocked socket does on a virtual thread. */
    public static Reply silence() {
        return request -> {
            try {
                Thread.sleep(Duration.ofMinutes(5));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            }
            throw new SocketException("nobody came");
        };
    }

    /** The thread is interrupted while it waits for an answer. */
    public static Reply interrupt() {
        return request -> {
            Thread.currentThread().interrupt();
            throw new SocketException("Closed by interrupt");
        };
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
