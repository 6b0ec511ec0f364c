package io.penstock.core.object.s3;

import io.penstock.core.ErrorCode;
import io.penstock.core.remote.CommonOutcomes;
import io.penstock.core.remote.ObjectCall;
import io.penstock.core.remote.RequestFailure;
import io.penstock.core.remote.Verdict;
import java.util.Set;

/**
 * Decides what a failed request to S3 means. Does no I/O. {@code docs/AWS.md} has the same as a table.
 *
 * <p>A read changes nothing, so whatever fails for the moment is <i>not done</i>. For a put or a delete that needs
 * proof that the server never acted on it:
 *
 * <ul>
 *   <li>no connection came about: nothing was sent;
 *   <li>the server throttled (SlowDown and its like): S3 turns such requests away before it looks at them. Any other
 *       503 may come from something between, after the request went on: not known;
 *   <li>the body did not arrive whole or not undamaged (RequestTimeout, IncompleteBody, BadDigest): S3 writes an object
 *       when it has all of it, or not at all;
 *   <li>the server refused it for what it is: 3xx and 4xx, but not a 404 without a code, which S3 does not answer: it
 *       may come from something between, too.
 * </ul>
 *
 * <p>Everything else may have taken effect: 500, 502, 504, a time-out, a connection that broke after it was made, an
 * interrupt, an answer that cannot be read. So may a conditional put that is answered with 412, if the client repeats
 * requests by itself: the first one may have been the one that broke the condition of the second. Our clients do not; a
 * client that the user brings may. A writer of pages therefore reads the write id after a conflict too.
 */
final class S3Outcomes {
    static final Set<String> THROTTLED = Set.of(
            "SlowDown",
            "SlowDownRead",
            "SlowDownWrite",
            "TooManyRequests",
            "TooManyRequestsException",
            "Throttling",
            "ThrottlingException",
            "RequestThrottled",
            "RequestLimitExceeded",
            "BandwidthLimitExceeded");

    static final Set<String> NOT_ARRIVED =
            Set.of("RequestTimeout", "IncompleteBody", "BadDigest", "XAmzContentSHA256Mismatch");

    static final Set<String> ELSEWHERE = Set.of(
            "PermanentRedirect",
            "AuthorizationHeaderMalformed",
            "IllegalLocationConstraintException",
            "InvalidLocationConstraint");

    private S3Outcomes() {}

    static Verdict of(ObjectCall call, RequestFailure failure) {
        return CommonOutcomes.of(failure, call::unclear, () -> answered(call, failure.status(), failure.code()));
    }

    /**
     * Whether S3 says that the object, or the upload, is missing: by its code, or by the id of the request if the body
     * cannot be read, since it quotes a key that XML cannot carry. Any other 404 is of something between.
     */
    static boolean isMissing(RequestFailure failure) {
        return failure.code().equals("NoSuchKey")
                || failure.code().equals("NoSuchUpload")
                || failure.code().isEmpty() && isHeadMissing(failure);
    }

    /**
     * Whether S3 says that the object or bucket of a HEAD is missing. The answer has no body, and its code is made up
     * by the SDK; the id of the request shows that it is of S3.
     */
    static boolean isHeadMissing(RequestFailure failure) {
        return failure.status() == 404 && !failure.requestId().isEmpty();
    }

    /** Whether the credentials are known and lack a right; the answer to a HEAD has no code. */
    static boolean isLackOfRight(RequestFailure failure) {
        return failure.code().equals("AccessDenied")
                || failure.status() == 403 && failure.code().isEmpty();
    }

    /** Whether the object still has the version of the request. */
    static boolean isUnchanged(RequestFailure failure) {
        return failure.status() == 304;
    }

    /** Whether the range begins at or after the end of the object. */
    static boolean isBeyondTheEnd(RequestFailure failure) {
        return failure.status() == 416 || failure.code().equals("InvalidRange");
    }

    private static Verdict answered(ObjectCall call, int status, String code) {
        if (THROTTLED.contains(code) || status == 429) {
            return CommonOutcomes.THROTTLING;
        }
        if (NOT_ARRIVED.contains(code) || status == 408) {
            return CommonOutcomes.INCOMPLETE;
        }
        if (CommonOutcomes.EXPIRED.contains(code)) {
            return CommonOutcomes.CREDENTIALS_EXPIRED;
        }
        if (code.equals("ConditionalRequestConflict") || code.equals("OperationAborted")) {
            return concurrent(call);
        }
        if (status == 412) {
            return call.conditionFailed();
        }
        return refused(call, status, code);
    }

    private static Verdict concurrent(ObjectCall call) {
        return call == ObjectCall.CONDITIONAL_PUT
                ? Verdict.conflict("another write is under way; read again, then retry")
                : Verdict.notDone("another write is under way; retry");
    }

    private static Verdict refused(ObjectCall call, int status, String code) {
        if (code.equals("NoSuchBucket")) {
            return Verdict.refused(ErrorCode.BUCKET_NOT_FOUND, "there is no such bucket; create it or name another");
        }
        if (status == 404 && (code.isEmpty() || call == ObjectCall.READ && code.equals("NoSuchKey"))) { // a HEAD's
            return call.unclear("the answer is none of s3; check endpoint and proxies on the way");
        }
        if (status == 404 && call == ObjectCall.CONDITIONAL_PUT) {
            return Verdict.conflict("the object is gone; read again, then retry");
        }
        if (code.equals("RequestTimeTooSkewed")) {
            return Verdict.refused(
                    ErrorCode.CLOCK_SKEW, "this machine's clock is too far from the server's; correct it");
        }
        if (ELSEWHERE.contains(code) || status == 301) {
            return Verdict.invalid(
                    ErrorCode.WRONG_REGION,
                    "the bucket is in another region; set the region (or endpoint) of the bucket");
        }
        if (status == 307) {
            return Verdict.notDone("the bucket is not ready yet; retry later");
        }
        if (status == 403 || code.equals("AccessDenied")) {
            return Verdict.refused(
                    ErrorCode.ACCESS_DENIED,
                    "access was denied; check credentials, IAM policy, bucket policy and this machine's clock");
        }
        if (status == 501 || code.equals("NotImplemented")) {
            return Verdict.invalid(
                    ErrorCode.UNSUPPORTED_SERVER, "the server cannot do this; use one that has all that AWS.md lists");
        }
        if (status >= 400 && status < 500) {
            return CommonOutcomes.REFUSED;
        }
        return call.unclear("the server failed");
    }
}
