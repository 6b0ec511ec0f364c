package io.penstock.core.remote.aws;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * An HTTP client that leaves an answer to the thread that reads it. Safe for use by many threads.
 *
 * <p>When a call is over its time, the SDK interrupts its thread and has a second thread abort the request. The JDK's
 * client then closes the answer and, if 512 KiB or less are missing, has a third thread read the rest. Should the
 * calling thread close the answer at that moment too, it waits for that rest, however slowly it comes, and no interrupt
 * ends the wait. Here an abort only cuts a request whose answer has not begun. Later the interrupt is enough: the SDK
 * looks for it at each read, and a read lasts no longer than the read time-out.
 */
final class OneReaderHttp implements SdkHttpClient {
    private final SdkHttpClient client;

    private OneReaderHttp(SdkHttpClient client) {
        this.client = client;
    }

    /** A builder of such a client over one of {@code builder}. */
    static SdkHttpClient.Builder<?> over(SdkHttpClient.Builder<?> builder) {
        return new Builder(builder);
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        return new Exchange(client.prepareRequest(request));
    }

    @Override
    public String clientName() {
        return client.clientName();
    }

    @Override
    public void close() {
        client.close();
    }

    private enum State {
        WAITS,
        ANSWERED,
        ABORTED
    }

    /** One request and its answer. */
    private static final class Exchange implements ExecutableHttpRequest {
        private final ExecutableHttpRequest request;
        private final AtomicReference<State> state = new AtomicReference<>(State.WAITS);

        private Exchange(ExecutableHttpRequest request) {
            this.request = request;
        }

        /**
         * @throws IOException also if the request was aborted; the answer is then closed by the thread that aborted it
         */
        @Override
        public HttpExecuteResponse call() throws IOException {
            HttpExecuteResponse response = request.call();
            if (!state.compareAndSet(State.WAITS, State.ANSWERED)) {
                throw new IOException("the request was aborted");
            }
            return response;
        }

        @Override
        public void abort() {
            if (state.compareAndSet(State.WAITS, State.ABORTED)) {
                request.abort();
            }
        }
    }

    private record Builder(SdkHttpClient.Builder<?> builder) implements SdkHttpClient.Builder<Builder> {
        @Override
        public SdkHttpClient buildWithDefaults(AttributeMap defaults) {
            return new OneReaderHttp(builder.buildWithDefaults(defaults));
        }
    }
}
