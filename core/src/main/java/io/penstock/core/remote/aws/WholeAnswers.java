package io.penstock.core.remote.aws;

import io.penstock.core.remote.WholeBody;
import java.io.EOFException;
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
}
