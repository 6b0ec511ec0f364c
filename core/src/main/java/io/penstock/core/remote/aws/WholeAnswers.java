package io.penstock.core.remote.aws;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Refuses truncated answers. The JDK's HTTP client accepts them: a truncated head has the fields that had arrived, and
 * a truncated body is shorter. Safe for use by many threads.
 */
public final class WholeAnswers implements ExecutionInterceptor {
    /** Whether the answer has no body: it need not give a length, or gives the length that a body would have. */
    private static boolean isBodiless(Context.ModifyHttpResponse context) {
        int status = context.httpResponse().statusCode();
        return context.httpRequest().method() == SdkHttpMethod.HEAD || status == 204 || status == 304;
    }

    @Override
    public SdkHttpResponse modifyHttpResponse(Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        SdkHttpResponse answer = context.httpResponse();
        boolean told = length(answer).isPresent()
                || answer.firstMatchingHeader("Transfer-Encoding").isPresent();
        if (!told && !isBodiless(context)) {
            throw new UncheckedIOException(new EOFException("the head of an answer ended early"));
        }
        return answer;
    }

    @Override
    public Optional<InputStream> modifyHttpResponseContent(
            Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        Optional<Long> length = isBodiless(context) ? Optional.empty() : length(context.httpResponse());
        return context.responseBody()
                .map(body -> length.<InputStream>map(bytes -> new WholeBody(body, bytes))
                        .orElse(body));
    }

    private static Optional<Long> length(SdkHttpResponse answer) {
        return answer.firstMatchingHeader("Content-Length").map(Long::valueOf);
    }

    /**
     * The body of an answer whose head gave its length. Some HTTP clients do not notice when a connection ends before
     * that; this stream fails then, so that half a body never passes for a whole one. For one thread.
     */
    private static final class WholeBody extends FilterInputStream {
        private long left;

        /** @param length the length in the head, in bytes */
        public WholeBody(InputStream in, long length) {
            super(in);
            this.left = length;
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            count(next < 0 ? -1 : 1);
            return next;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = super.read(bytes, offset, length);
            count(read);
            return read;
        }

        @Override
        public long skip(long count) throws IOException {
            long skipped = super.skip(count);
            left -= skipped;
            return skipped;
        }

        @Override
        public boolean markSupported() {
            return false;
        }

        private void count(int read) throws IOException {
            if (read >= 0) {
                left -= read;
            } else if (left > 0) {
                throw new EOFException("the body of an answer ended early");
            }
        }
    }
}
