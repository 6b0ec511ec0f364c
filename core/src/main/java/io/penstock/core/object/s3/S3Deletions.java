package io.penstock.core.object.s3;

import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.remote.ObjectCall;
import io.penstock.core.remote.RequestFailure;
import io.penstock.core.remote.Verdict;
import io.penstock.core.remote.aws.AwsFailures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;

/** Removes objects, one by one or up to 1,000 in a request. Safe for use by many threads. */
record S3Deletions(S3Client client, String bucket) {
    /** The most keys that S3 removes in one request. */
    private static final int KEYS_MAX = 1_000;

    /** Removes one object; a missing one is no failure. */
    void delete(String key) {
        try {
            client.deleteObject(request -> request.bucket(bucket).key(key));
        } catch (SdkException e) {
            if (!S3Outcomes.isMissing(AwsFailures.of(e))) {
                throw e;
            }
        }
    }

    void deleteAll(Collection<String> keys) {
        List<ObjectIdentifier> batch = new ArrayList<>();
        for (String key : keys) {
            if (!fitsXml(key)) {
                delete(key);
                continue;
            }
            batch.add(ObjectIdentifier.builder().key(key).build());
            if (batch.size() == KEYS_MAX) {
                deleteBatch(batch);
                batch.clear();
            }
        }
        if (!batch.isEmpty()) {
            deleteBatch(batch);
        }
    }

    private void deleteBatch(List<ObjectIdentifier> batch) {
        DeleteObjectsResponse response;
        try {
            response = client.deleteObjects(request -> request.bucket(bucket).delete(delete -> delete.objects(batch)));
        } catch (SdkException e) {
            if (!isUnable(AwsFailures.of(e))) {
                throw e;
            }
            batch.forEach(object -> delete(object.key()));
            return;
        }
        if (response.deleted().isEmpty() && response.errors().isEmpty()) {
            throw new OutcomeUnknownException(
                    "the answer to a delete is none of s3; check endpoint and proxies on the way, then delete again",
                    "bucket",
                    bucket);
        }
        response.errors().stream()
                .filter(error -> !"NoSuchKey".equals(error.code()))
                .findFirst()
                .ifPresent(error -> {
                    throw partly(error, response);
                });
    }

    /** Whether the server cannot remove several objects in one request, or not without a checksum that is not sent. */
    private static boolean isUnable(RequestFailure failure) {
        return (failure.status() == 400 || failure.status() == 405 || failure.status() == 501)
                && S3Outcomes.of(ObjectCall.DELETE, failure).isFinal();
    }

    /** The failure of a batch of which some may be removed: its outcome is unknown, unless no repetition can help. */
    private RuntimeException partly(S3Error error, DeleteObjectsResponse response) {
        RequestFailure failure = RequestFailure.answered(
                200, error.code(), response.responseMetadata().requestId());
        Verdict verdict = S3Outcomes.of(ObjectCall.DELETE, failure);
        if (S3Outcomes.isLackOfRight(failure)) {
            return S3Request.delete(String.valueOf(error.key())).failed(failure, bucket);
        }
        Verdict whole =
                verdict.isFinal() ? verdict : Verdict.unknown("some objects were not removed; delete them again");
        return whole.exception(
                "s3",
                "delete",
                failure,
                "bucket",
                bucket,
                "failed",
                response.errors().size());
    }

    /**
     * Whether a request in XML can name the key. Keys with characters that XML 1.0 lacks are removed one by one, named
     * in the path.
     */
    static boolean fitsXml(String key) {
        return key.codePoints()
                .allMatch(c -> c == '\t'
                        || c >= ' ' && c <= 0xd7ff
                        || c >= 0xe000 && c <= 0xfffd
                        || c >= 0x10000 && c <= 0x10ffff);
    }
}
