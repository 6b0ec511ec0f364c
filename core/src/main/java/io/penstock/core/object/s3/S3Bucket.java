package io.penstock.core.object.s3;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.remote.ObjectCall;
import io.penstock.core.remote.RequestFailure;
import io.penstock.core.remote.Verdict;
import io.penstock.core.remote.aws.AwsFailures;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketType;
import software.amazon.awssdk.services.s3.model.CreateBucketConfiguration;
import software.amazon.awssdk.services.s3.model.CreateBucketRequest;
import software.amazon.awssdk.services.s3.model.DataRedundancy;
import software.amazon.awssdk.services.s3.model.LocationType;

/** Checks a bucket when a store is opened, and creates it if it is missing and may be created. For one thread. */
final class S3Bucket {
    private static final Logger LOG = LoggerFactory.getLogger(S3Bucket.class);

    /** The form of a directory bucket's name: {@code <name>--<zone>--x-s3}. */
    private static final Pattern DIRECTORY = Pattern.compile(".+--(?<zone>[a-z0-9-]+)--x-s3");

    private final S3Client client;
    private final S3Settings settings;
    private final String name;

    S3Bucket(S3Client client, S3Settings settings) {
        this.client = client;
        this.settings = settings;
        this.name = settings.bucket();
    }

    /** Returns only if the bucket exists. */
    void require() {
        if (exists()) {
            return;
        }
        if (!settings.createBucket()) {
            throw new InvalidRequestException(
                    ErrorCode.BUCKET_NOT_FOUND, "there is no such bucket; create it or name another", "bucket", name);
        }
        create();
    }

    private boolean exists() {
        try {
            client.headBucket(head -> head.bucket(name));
            return true;
        } catch (SdkException | UncheckedIOException e) {
            RequestFailure failure = AwsFailures.of(e);
            if (S3Outcomes.isHeadMissing(failure)) {
                return false;
            }
            if (failure.status() == 301) {
                throw new InvalidRequestException(
                        ErrorCode.WRONG_REGION,
                        "the bucket is in another region; set the region of the bucket",
                        "bucket",
                        name,
                        "region",
                        regionOf(e).orElse("not told"));
            }
            throw failed(ObjectCall.READ, failure.status() == 404 ? RequestFailure.answered(404, "", "") : failure);
        }
    }

    private static Optional<String> regionOf(RuntimeException failure) {
        return failure instanceof AwsServiceException answer && answer.awsErrorDetails() != null
                ? answer.awsErrorDetails().sdkHttpResponse().firstMatchingHeader("x-amz-bucket-region")
                : Optional.empty();
    }

    private void create() {
        try {
            client.createBucket(request());
            LOG.warn("there was no such bucket, and it was created; see that its name is right bucket={}", name);
        } catch (SdkException | UncheckedIOException e) {
            RequestFailure failure = AwsFailures.of(e);
            switch (failure.code()) {
                // Another client of the same store was first.
                case "BucketAlreadyOwnedByYou" -> {}
                case "BucketAlreadyExists" ->
                    throw new InvalidRequestException(
                            ErrorCode.ACCESS_DENIED,
                            "the bucket belongs to another account; choose another",
                            "bucket",
                            name);
                default -> throw failed(ObjectCall.PUT, failure);
            }
        }
    }

    private CreateBucketRequest request() {
        CreateBucketRequest.Builder request = CreateBucketRequest.builder().bucket(name);
        Matcher directory = DIRECTORY.matcher(name);
        if (directory.matches()) {
            String zone = directory.group("zone");
            return request.createBucketConfiguration(inZone(zone)).build();
        }
        Region region = client.serviceClientConfiguration().region();
        // The first region is the default, and must not be named.
        return region.equals(Region.US_EAST_1)
                ? request.build()
                : request.createBucketConfiguration(configuration -> configuration.locationConstraint(region.id()))
                        .build();
    }

    private static CreateBucketConfiguration inZone(String zone) {
        return CreateBucketConfiguration.builder()
                .location(location ->
                        location.type(LocationType.AVAILABILITY_ZONE).name(zone))
                .bucket(bucket ->
                        bucket.type(BucketType.DIRECTORY).dataRedundancy(DataRedundancy.SINGLE_AVAILABILITY_ZONE))
                .build();
    }

    private RuntimeException failed(ObjectCall call, RequestFailure failure) {
        Verdict verdict = S3Outcomes.of(call, failure);
        String right = call == ObjectCall.READ ? "s3:ListBucket" : "s3:CreateBucket";
        return S3Outcomes.isLackOfRight(failure)
                ? verdict.exception("s3", "opening of a bucket", failure, "bucket", name, "right", right)
                : verdict.exception("s3", "opening of a bucket", failure, "bucket", name);
    }
}
