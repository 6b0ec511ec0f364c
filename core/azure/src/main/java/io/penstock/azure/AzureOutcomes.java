package io.penstock.azure;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobStorageException;
import io.penstock.core.ErrorCode;
import io.penstock.core.remote.CommonOutcomes;
import io.penstock.core.remote.ObjectCall;
import io.penstock.core.remote.RequestFailure;
import io.penstock.core.remote.RequestFailure.Stage;
import io.penstock.core.remote.Verdict;
import java.util.Optional;

/**
 * Decides what a failed request to Azure Blob Storage means. Does no I/O. A refusal by 3xx and 4xx, and ServerBusy,
 * comes before anything is done; other 5xx, a 404 without a code and lost answers may come after it. {@code
 * docs/CLOUDS.md} has the same as a table.
 */
final class AzureOutcomes {
    /** The most causes examined: a chain may be a ring. */
    private static final int CAUSES_MAX = 16;

    private AzureOutcomes() {}

    /** The known facts of a failure; nothing that quotes keys, bodies or signatures. */
    static RequestFailure failure(RuntimeException thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            if (cause instanceof BlobStorageException answer) {
                return RequestFailure.answered(
                        answer.getStatusCode(),
                        Optional.ofNullable(answer.getErrorCode())
                                .map(BlobErrorCode::toString)
                                .orElse(null),
                        answer.getResponse().getHeaderValue("x-ms-request-id"));
            }
            if (cause instanceof ClientAuthenticationException) {
                return RequestFailure.unanswered(Stage.NOT_MADE, thrown);
            }
            if (cause instanceof InterruptedException) {
                return RequestFailure.unanswered(Stage.INTERRUPTED, thrown);
            }
            cause = cause.getCause();
        }
        return RequestFailure.unanswered(thrown);
    }

    static Verdict of(ObjectCall call, RequestFailure failure) {
        return CommonOutcomes.of(failure, call::unclear, () -> answered(call, failure.status(), failure.code()));
    }

    /** Whether Azure says that the blob is missing. A 404 without a code is of something between. */
    static boolean isMissing(RequestFailure failure) {
        return failure.code().equals("BlobNotFound");
    }

    private static Verdict answered(ObjectCall call, int status, String code) {
        if (status == 429 || code.equals("ServerBusy")) {
            return CommonOutcomes.THROTTLING;
        }
        return switch (status) {
            case 408 -> CommonOutcomes.INCOMPLETE;
            case 409 -> code.equals("BlobAlreadyExists") ? call.conditionFailed() : gone(code);
            case 412 ->
                code.isEmpty() || code.equals("ConditionNotMet") ? call.conditionFailed() : CommonOutcomes.REFUSED;
            case 401, 403 ->
                Verdict.refused(
                        ErrorCode.ACCESS_DENIED,
                        "access was denied; check credentials, roles or signature, and this machine's clock");
            case 404 -> missing(call, code);
            case 501 ->
                Verdict.invalid(
                        ErrorCode.UNSUPPORTED_SERVER, "the server cannot do this; use Azure Blob Storage itself");
            default -> status < 500 ? CommonOutcomes.REFUSED : call.unclear("the server failed");
        };
    }

    private static Verdict missing(ObjectCall call, String code) {
        if (code.isEmpty()) {
            return call.unclear("the answer is none of azure; check endpoint and proxies on the way");
        }
        return call == ObjectCall.CONDITIONAL_PUT && code.equals("BlobNotFound")
                ? Verdict.conflict("the object is gone; read again, then retry")
                : Verdict.refused(ErrorCode.BUCKET_NOT_FOUND, "there is no such container; create it or name another");
    }

    private static Verdict gone(String code) {
        return code.equals("ContainerBeingDeleted")
                ? Verdict.refused(ErrorCode.BUCKET_NOT_FOUND, "the container is being deleted; name another")
                : CommonOutcomes.REFUSED;
    }
}
