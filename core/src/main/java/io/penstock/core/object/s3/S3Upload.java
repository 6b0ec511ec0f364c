package io.penstock.core.object.s3;

import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectRules;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.remote.ObjectAnswers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/** A multipart upload. Each method is one request; {@link #complete} of a completed upload is more. */
final class S3Upload implements ObjectUpload {
    private final S3ObjectStore store;
    private final S3Client client;
    private final String bucket;
    private final String key;
    private final String id;
    private final int partBytes;
    private final Map<Integer, String> eTags = new ConcurrentHashMap<>();

    S3Upload(S3ObjectStore store, S3Client client, String bucket, String key, String id, int partBytes) {
        this.store = store;
        this.client = client;
        this.bucket = bucket;
        this.key = key;
        this.id = id;
        this.partBytes = partBytes;
    }

    @Override
    public void part(int number, Bytes part) {
        ObjectRules.checkPart(number, part, partBytes);
        UploadPartRequest request = UploadPartRequest.builder()
                .bucket(bucket)
                .key(key)
                .uploadId(id)
                .partNumber(number)
                .build();
        String eTag = store.call(
                S3Request.put(key),
                () -> ObjectAnswers.told(client.uploadPart(request, S3ObjectStore.requestBody(part))
                        .eTag()),
                failure -> Optional.empty());
        eTags.put(number, eTag);
    }

    @Override
    public void complete(int parts) {
        List<CompletedPart> completed = new ArrayList<>();
        for (int number = 1; number <= parts; number++) {
            String eTag = eTags.get(number);
            if (eTag == null) {
                throw new InvalidRequestException("a part of the upload is missing; send it", "part", number);
            }
            completed.add(CompletedPart.builder().partNumber(number).eTag(eTag).build());
        }
        boolean done = store.call(
                S3Request.put(key),
                () -> {
                    CompleteMultipartUploadResponse answer =
                            client.completeMultipartUpload(request -> request.bucket(bucket)
                                    .key(key)
                                    .uploadId(id)
                                    .multipartUpload(upload -> upload.parts(completed)));
                    // A 200 without an ETag is of something between, and says nothing of the object.
                    ObjectAnswers.told(answer.eTag());
                    return true;
                },
                failure -> failure.code().equals("NoSuchUpload") ? Optional.of(false) : Optional.empty());
        if (!done && store.getRange(key, 0, 0).isEmpty()) {
            throw new UnavailableException(
                    "the upload is gone and its object is missing; start it again", "bucket", bucket);
        }
        // Without an upload but with its object: an earlier attempt took effect, because this key has no other writer.
    }

    @Override
    public void abort() {
        store.call(
                S3Request.abort(key),
                () -> {
                    client.abortMultipartUpload(
                            request -> request.bucket(bucket).key(key).uploadId(id));
                    return true;
                },
                failure -> S3Outcomes.isMissing(failure) ? Optional.of(true) : Optional.empty());
    }
}
