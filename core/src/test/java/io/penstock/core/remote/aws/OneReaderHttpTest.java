package io.penstock.core.remote.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.utils.AttributeMap;

class OneReaderHttpTest {
    private final Recorded inner = new Recorded();
    private final ExecutableHttpRequest request = OneReaderHttp.over(new Given(inner))
            .build()
            .prepareRequest(HttpExecuteRequest.builder()
                    .request(SdkHttpRequest.builder()
                            .method(SdkHttpMethod.GET)
                            .uri(URI.create("http://127.0.0.1/"))
                            .build())
                    .build());

    private record Given(SdkHttpClient client) implements SdkHttpClient.Builder<Given> {
        @Override
        public SdkHttpClient buildWithDefaults(AttributeMap defaults) {
            return client;
        }
    }

    /** Answers every request at once, after {@link #meanwhile}. */
    private static final class Recorded implements SdkHttpClient, ExecutableHttpRequest {
        private Runnable meanwhile = () -> {};
        private int aborts;

        @Override
        public ExecutableHttpRequest prepareRequest(HttpExecuteRequest ignored) {
            return this;
        }

        @Override
        public HttpExecuteResponse call() {
            meanwhile.run();
            return HttpExecuteResponse.builder()
                    .response(SdkHttpFullResponse.builder().statusCode(200).build())
                    .build();
        }

        @Override
        public void abort() {
            aborts++;
        }

        @Override
        public void close() {}
    }

    @Test
    void anAnswerThatHasBegunIsLeftToItsReader() throws IOException {
        assertThat(request.call().httpResponse().statusCode()).isEqualTo(200);
        request.abort();
        assertThat(inner.aborts).isZero();
    }

    @Test
    void aRequestWithoutAnAnswerIsCut() {
        inner.meanwhile = request::abort;
        assertThatThrownBy(request::call).isInstanceOf(IOException.class).hasMessageContaining("aborted");
        assertThat(inner.aborts).isOne();
    }
}
