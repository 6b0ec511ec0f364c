package io.penstock.core.object.s3;

import io.penstock.core.StoreException;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.remote.ObjectCall;
import io.penstock.core.remote.RequestFailure;
import io.penstock.core.remote.Verdict;

/**
 * A request in words: its kind, and the right that it needs.
 *
 * @param right as policies name it
 * @param key of the object, or the beginning of those that are listed
 */
record S3Request(ObjectCall kind, String right, String key) {
    /** To a caller that may not list the bucket, S3 denies what is not there. */
    static S3Request read(String key) {
        return new S3Request(ObjectCall.READ, "s3:GetObject, and s3:ListBucket where there is no such object", key);
    }

    static S3Request list(String prefix) {
        return new S3Request(ObjectCall.READ, "s3:ListBucket", prefix);
    }

    static S3Request put(String key) {
        return new S3Request(ObjectCall.PUT, "s3:PutObject", key);
    }

    static S3Request put(String key, WriteCondition condition) {
        return switch (condition) {
            case WriteCondition.Always always -> put(key);
            case WriteCondition.IfAbsent absent -> new S3Request(ObjectCall.CONDITIONAL_PUT, "s3:PutObject", key);
            case WriteCondition.IfVersion version ->
                new S3Request(ObjectCall.CONDITIONAL_PUT, "s3:PutObject and s3:GetObject", key);
        };
    }

    static S3Request abort(String key) {
        return new S3Request(ObjectCall.DELETE, "s3:AbortMultipartUpload", key);
    }

    static S3Request delete(String key) {
        return new S3Request(ObjectCall.DELETE, "s3:DeleteObject", key);
    }

    /** The exception to throw for a failure of this request; one for a lack of a right names the right. */
    StoreException failed(RequestFailure failure, String bucket) {
        Verdict verdict = S3Outcomes.of(kind, failure);
        return S3Outcomes.isLackOfRight(failure)
                ? verdict.exception("s3", kind.text(), failure, "bucket", bucket, "right", right, "on", folder())
                : verdict.exception("s3", kind.text(), failure, "bucket", bucket);
    }

    /** The folder in which the object is, since messages never have a key. */
    private String folder() {
        return key.substring(0, key.lastIndexOf('/') + 1) + "*";
    }
}
