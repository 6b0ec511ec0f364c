package io.penstock.core.object.s3;

import io.penstock.core.Bytes;
import io.penstock.core.ClosedException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectRules;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.Refreshed;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.TimedObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import io.penstock.core.remote.ObjectAnswers;
import io.penstock.core.remote.RequestFailure;
import io.penstock.core.remote.aws.AwsFailures;
import java.io.ByteArrayInputStream;
import java.net.HttpURLConnection;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.model.Tagging;

/**
 * An object store on one S3 bucket. Each call is one request and one attempt (a listing of a directory bucket, and the
 * removal of more than 1,000 objects, are several); put {@link io.penstock.core.object.ObjectStores#retrying} above it.
 * {@link S3Outcomes} decides what a failure means.
 *
 * <p>Exceptions name the server's code, status and request id. They have no cause, and no text of the SDK's.
 *
 * <p>Safe for use by many threads.
 */
public final class S3ObjectStore implements ObjectStore {
    private static final String CONTENT_TYPE = "application/octet-stream";

    private final S3Client client;
    private final boolean ownsClient;
    private final String bucket;
    private final Optional<Tagging> tagging;
    private final S3Listings listings;
    private final S3Deletions deletions;
    private volatile boolean closed;

    private S3ObjectStore(S3Client client, boolean ownsClient, S3Settings settings) {
        this.client = client;
        this.ownsClient = ownsClient;
        this.bucket = settings.bucket();
        this.tagging = tagging(settings);
        this.listings = new S3Listings(client, settings);
        this.deletions = new S3Deletions(client, bucket);
    }

    private static Optional<Tagging> tagging(S3Settings settings) {
        return settings.tags().isEmpty()
                ? Optional.empty()
                : Optional.of(Tagging.builder()
                        .tagSet(settings.tags().entrySet().stream()
                                .map(tag -> Tag.builder()
                                        .key(tag.getKey())
                                        .value(tag.getValue())
                                        .build())
                                .toList())
                        .build());
    }

    /**
     * Opens the bucket of {@code settings}, and creates it if it is missing and the settings allow that.
     *
     * @throws InvalidRequestException when the bucket is missing, another's, in another region or not accessible
     * @throws io.penstock.core.UnavailableException when the server cannot be reached
     */
    public static S3ObjectStore open(S3Settings settings) {
        if (settings.isDirectoryBucket() && !settings.tags().isEmpty()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "objects of a directory bucket have no tags; leave them out",
                    "bucket",
                    settings.bucket());
        }
        boolean owns = settings.client().isEmpty();
        S3Client client = settings.client().orElseGet(() -> S3Clients.build(settings));
        try {
            new S3Bucket(client, settings).require();
            return new S3ObjectStore(client, owns, settings);
        } catch (RuntimeException failure) {
            if (owns) {
                client.close();
            }
            throw failure;
        }
    }

    /** The bucket's own settings, by four requests. */
    public BucketSettings bucketSettings() {
        return new S3BucketSettings(client, bucket).read();
    }

    @Override
    public Optional<StoredObject> get(String key) {
        ObjectRules.checkKey(key);
        return fetch(GetObjectRequest.builder().key(key), reading(key), S3ObjectStore::emptyIfMissing);
    }

    @Override
    public TimedObject getTimed(String key) {
        ObjectRules.checkKey(key);
        GetObjectRequest request =
                GetObjectRequest.builder().bucket(bucket).key(key).build();
        return guarded(S3Request.read(key), () -> getTimed(request));
    }

    private TimedObject getTimed(GetObjectRequest request) {
        try {
            return client.getObject(
                    request,
                    (response, body) -> new TimedObject(
                            Optional.of(S3Answers.object(request.key(), response, body)),
                            timeOf(response.sdkHttpResponse())));
        } catch (AwsServiceException failure) {
            if (S3Outcomes.isMissing(AwsFailures.of(failure)) && failure.awsErrorDetails() != null) {
                return new TimedObject(
                        Optional.empty(), timeOf(failure.awsErrorDetails().sdkHttpResponse()));
            }
            throw failure;
        }
    }

    private long timeOf(SdkHttpResponse response) {
        return ObjectAnswers.timeOfRead("s3", S3Answers.millis(response), "bucket", bucket);
    }

    @Override
    public Optional<StoredObject> getRange(String key, long offset, int length) {
        ObjectRules.checkKey(key);
        ObjectRules.checkRange(offset, length);
        if (length == 0) {
            return head(key);
        }
        // A range names its last byte, and may end after the object.
        long last = offset > Long.MAX_VALUE - length ? Long.MAX_VALUE : offset + length - 1;
        return fetch(
                GetObjectRequest.builder().key(key).range("bytes=" + offset + "-" + last),
                (response, body) -> {
                    StoredObject object = S3Answers.object(key, response, body);
                    boolean isWhole =
                            response.sdkHttpResponse().statusCode() == HttpURLConnection.HTTP_OK; // a range was ignored
                    return isWhole ? object.range(offset, length) : object;
                },
                failure -> S3Outcomes.isBeyondTheEnd(failure) ? Optional.of(head(key)) : emptyIfMissing(failure));
    }

    private Optional<StoredObject> fetch(
            GetObjectRequest.Builder request,
            ResponseTransformer<GetObjectResponse, StoredObject> reading,
            Function<RequestFailure, Optional<Optional<StoredObject>>> answer) {
        GetObjectRequest whole = request.bucket(bucket).build();
        return call(S3Request.read(whole.key()), () -> Optional.of(client.getObject(whole, reading)), answer);
    }

    private static ResponseTransformer<GetObjectResponse, StoredObject> reading(String key) {
        return (response, body) -> S3Answers.object(key, response, body);
    }

    /** The object without its body. */
    private Optional<StoredObject> head(String key) {
        return call(
                S3Request.read(key),
                () -> {
                    HeadObjectResponse head =
                            client.headObject(request -> request.bucket(bucket).key(key));
                    return Optional.of(new StoredObject(
                            Bytes.EMPTY,
                            ObjectAnswers.version(head.eTag()),
                            S3Answers.lastModified(head.lastModified())));
                },
                failure -> S3Outcomes.isHeadMissing(failure) ? Optional.of(Optional.empty()) : Optional.empty());
    }

    private static <T> Optional<Optional<T>> emptyIfMissing(RequestFailure failure) {
        return S3Outcomes.isMissing(failure) ? Optional.of(Optional.empty()) : Optional.empty();
    }

    @Override
    public Refreshed getIfChanged(String key, ObjectVersion known) {
        ObjectRules.checkKey(key);
        GetObjectRequest request = GetObjectRequest.builder()
                .bucket(bucket)
                .key(key)
                .ifNoneMatch(ObjectAnswers.eTag(known))
                .build();
        return call(
                S3Request.read(key),
                () -> new Refreshed.Changed(client.getObject(request, reading(key))),
                S3ObjectStore::refreshed);
    }

    private static Optional<Refreshed> refreshed(RequestFailure failure) {
        if (S3Outcomes.isUnchanged(failure)) {
            return Optional.of(new Refreshed.Unchanged());
        }
        return S3Outcomes.isMissing(failure) ? Optional.of(new Refreshed.Missing()) : Optional.empty();
    }

    @Override
    public Written put(String key, Bytes body, WriteCondition condition) {
        ObjectRules.checkKey(key);
        PutObjectRequest.Builder request =
                PutObjectRequest.builder().bucket(bucket).key(key);
        tagging.ifPresent(request::tagging);
        switch (condition) {
            case WriteCondition.Always always -> {}
            case WriteCondition.IfAbsent absent -> request.ifNoneMatch("*");
            case WriteCondition.IfVersion version -> request.ifMatch(ObjectAnswers.eTag(version.version()));
        }
        return guarded(
                S3Request.put(key, condition), () -> written(client.putObject(request.build(), requestBody(body))));
    }

    /** A view of the bytes: nothing is copied on the way to the HTTP client. */
    static RequestBody requestBody(Bytes body) {
        return RequestBody.fromContentProvider(
                () -> new ByteArrayInputStream(body.array(), body.offset(), body.length()),
                body.length(),
                CONTENT_TYPE);
    }

    @Override
    public ObjectUpload upload(String key, int partBytes) {
        ObjectRules.checkUpload(key, partBytes);
        String id = guarded(
                S3Request.put(key),
                () -> ObjectAnswers.told(client.createMultipartUpload(request -> {
                            request.bucket(bucket).key(key).contentType(CONTENT_TYPE);
                            tagging.ifPresent(request::tagging);
                        })
                        .uploadId()));
        return new S3Upload(this, client, bucket, key, id, partBytes);
    }

    private Written written(PutObjectResponse response) {
        long serverMillis =
                ObjectAnswers.timeOfPut("s3", S3Answers.millis(response.sdkHttpResponse()), "bucket", bucket);
        return new Written(ObjectAnswers.version(response.eTag()), serverMillis);
    }

    @Override
    public void delete(String key) {
        ObjectRules.checkKey(key);
        guarded(S3Request.delete(key), () -> {
            deletions.delete(key);
            return true;
        });
    }

    @Override
    public void deleteAll(Collection<String> keys) {
        keys.forEach(ObjectRules::checkKey);
        String first = keys.stream().findFirst().orElse("");
        guarded(S3Request.delete(first), () -> {
            deletions.deleteAll(keys);
            return true;
        });
    }

    @Override
    public Listing list(String prefix, String startAfter, int limit) {
        ObjectRules.checkList(prefix, startAfter, limit);
        return guarded(S3Request.list(prefix), () -> listings.list(prefix, startAfter, limit));
    }

    private <T> T guarded(S3Request what, Supplier<T> request) {
        return call(what, request, failure -> Optional.empty());
    }

    /** Makes a request; {@code answer} may interpret a failure as an answer. */
    <T> T call(S3Request what, Supplier<T> request, Function<RequestFailure, Optional<T>> answer) {
        if (closed) {
            throw new ClosedException("the object store was closed; open it again", "bucket", bucket);
        }
        try {
            return request.get();
        } catch (StoreException own) {
            throw own;
        } catch (RuntimeException e) { // a provider of credentials or an interceptor of the user may throw any
            rethrowOwn(e);
            RequestFailure failure = AwsFailures.of(e);
            return answer.apply(failure).orElseThrow(() -> what.failed(failure, bucket));
        }
    }

    /** Throws again the exception of a body's reader, which the SDK wraps, more than once. */
    private static void rethrowOwn(RuntimeException wrapped) {
        for (Throwable cause = wrapped.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof StoreException own) {
                throw own;
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        if (ownsClient) {
            client.close();
        }
    }
}
