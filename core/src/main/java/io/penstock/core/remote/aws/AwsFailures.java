package io.penstock.core.remote.aws;

import io.penstock.core.remote.RequestFailure;
import io.penstock.core.remote.RequestFailure.Stage;
import java.io.UncheckedIOException;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;

/** The parts of the SDK's exceptions that are safe to log. Does no I/O. */
public final class AwsFailures {
    /** The beginning of the SDK's message when no provider of its chain had credentials; there is no type for that. */
    private static final String NO_CREDENTIALS = "Unable to load credentials";

    private AwsFailures() {}

    /** @param failure an exception of the SDK, or what its HTTP client lets through: an {@link UncheckedIOException} */
    public static RequestFailure of(RuntimeException failure) {
        if (failure instanceof AwsServiceException answer) {
            AwsErrorDetails details = answer.awsErrorDetails();
            String code = details == null ? null : details.errorCode();
            return RequestFailure.answered(answer.statusCode(), code, answer.requestId());
        }
        if (failure instanceof AbortedException) {
            return RequestFailure.unanswered(Stage.INTERRUPTED, failure);
        }
        String message = failure.getMessage();
        if (message != null && message.startsWith(NO_CREDENTIALS)) {
            return RequestFailure.unanswered(Stage.NOT_MADE, failure);
        }
        return RequestFailure.unanswered(failure);
    }
}
