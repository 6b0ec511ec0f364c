package io.penstock.gcs;

import com.google.api.client.googleapis.json.GoogleJsonError;
import com.google.api.client.googleapis.json.GoogleJsonResponseException;
import com.google.api.client.http.HttpResponseException;
import io.penstock.core.ErrorCode;
import io.penstock.core.remote.CommonOutcomes;
import io.penstock.core.remote.ObjectCall;
import io.penstock.core.remote.RequestFailure;
import io.penstock.core.remote.Verdict;
import java.net.HttpRetryException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a failed request to Google Cloud Storage means. Does no I/O. A refusal by 3xx and 4xx, and a 429, comes
 * before anything is done; 5xx, a 404 of something between and lost answers may come after it. {@code docs/CLOUDS.md}
 * has the same as a table.
 */
final class GcsOutcomes {
    private static final String REQUEST_ID = "x-guploader-uploadid";
    private static final String NO_BUCKET = "noSuchBucket";

    private GcsOutcomes() {}

    /** The known facts of a failure; nothing that quotes keys or bodies. */
    static RequestFailure failure(Exception thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof GcsClients.NoToken) {
                return RequestFailure.unanswered(RequestFailure.Stage.NOT_MADE, thrown);
            }
            if (cause instanceof HttpRetryException unauthorized) { // in place of the answer to a streamed body
                return RequestFailure.answered(unauthorized.responseCode(), null, null);
            }
            if (cause instanceof HttpResponseException answer) {
                return RequestFailure.answered(
                        answer.getStatusCode(),
                        code(
                                answer.getContent(),
                                answer instanceof GoogleJsonResponseException json ? json.getDetails() : null),
                        answer.getHeaders().getFirstHeaderStringValue(REQUEST_ID));
            }
        }
        return RequestFailure.unanswered(thrown);
    }

    /** The known facts of a call that failed in a batch. */
    static RequestFailure failure(GoogleJsonError error) {
        return RequestFailure.answered(error.getCode(), code(error.getMessage(), error), null);
    }

    /** Only the text tells a missing bucket from a missing object. It goes nowhere else. */
    private static @Nullable String code(@Nullable String text, @Nullable GoogleJsonError details) {
        if (text != null && text.contains("specified bucket does not exist")) {
            return NO_BUCKET;
        }
        return details == null
                        || details.getErrors() == null
                        || details.getErrors().isEmpty()
                ? null
                : details.getErrors().getFirst().getReason();
    }

    static Verdict of(ObjectCall call, RequestFailure failure) {
        return CommonOutcomes.of(failure, call::unclear, () -> answered(call, failure));
    }

    /** Whether Google says that the object is missing. An emulator does not tell a missing bucket from it. */
    static boolean isMissing(RequestFailure failure) {
        return failure.status() == 404 && !isForeign(failure) && !failure.code().equals(NO_BUCKET);
    }

    /**
     * Whether a 404 is of something between, or of an emulator that was asked for a body. Google's own has a reason in
     * JSON, or, where a body was asked for, a plain text and the id of the request.
     */
    static boolean isForeign(RequestFailure failure) {
        return failure.status() == 404
                && failure.requestId().isEmpty()
                && !failure.code().equals("notFound")
                && !failure.code().equals(NO_BUCKET);
    }

    private static Verdict answered(ObjectCall call, RequestFailure failure) {
        int status = failure.status();
        return switch (status) {
            case 429 -> CommonOutcomes.THROTTLING;
            case 408 -> CommonOutcomes.INCOMPLETE;
            case 412 -> call.conditionFailed();
            case 401 ->
                Verdict.refused(
                        ErrorCode.ACCESS_DENIED,
                        "the credentials are not accepted; check whose they are and renew them");
            case 403 ->
                failure.code().toLowerCase(Locale.ROOT).contains("ratelimit")
                        ? CommonOutcomes.THROTTLING
                        : Verdict.refused(
                                ErrorCode.ACCESS_DENIED,
                                "access was denied; check credentials, roles on the bucket and this machine's clock");
            // An object need not be there to be put, so it is the bucket that is missing.
            case 404 ->
                isForeign(failure)
                        ? call.unclear("the answer is none of gcs; check endpoint and proxies on the way")
                        : Verdict.refused(
                                ErrorCode.BUCKET_NOT_FOUND, "there is no such bucket; create it or name another");
            case 501 ->
                Verdict.invalid(
                        ErrorCode.UNSUPPORTED_SERVER, "the server cannot do this; use Google Cloud Storage itself");
            default -> status < 500 ? CommonOutcomes.REFUSED : call.unclear("the server failed");
        };
    }
}
