package io.penstock.core.object.s3;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.remote.aws.AwsAccess;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Settings of an object store on S3: the bucket, and the way to reach it. Immutable: each method returns changed
 * settings. Everything except the bucket's name has a default; region and credentials are those of the SDK's default
 * chains. Safe for use by many threads.
 */
public final class S3Settings {
    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");

    /** The most tags of one object. */
    private static final int TAGS_MAX = 10;

    private final String bucket;
    private AwsAccess access = AwsAccess.STANDARD;
    private boolean pathStyle;
    private @Nullable S3Client client;
    private Optional<SdkHttpClient.Builder<?>> http = Optional.empty();
    private boolean createBucket;
    private Map<String, String> tags = Map.of();

    private S3Settings(String bucket) {
        this.bucket = bucket;
    }

    private S3Settings(S3Settings from) {
        bucket = from.bucket;
        access = from.access;
        pathStyle = from.pathStyle;
        client = from.client;
        http = from.http;
        createBucket = from.createBucket;
        tags = from.tags;
    }

    private S3Settings with(Consumer<S3Settings> change) {
        S3Settings next = new S3Settings(this);
        change.accept(next);
        return next;
    }

    /** Settings for this bucket. A name that ends in {@code --x-s3} is a directory bucket (S3 Express One Zone). */
    public static S3Settings bucket(String name) {
        if (!BUCKET.matcher(name).matches()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "a bucket name must be 3 to 63 of a-z 0-9 . - and begin and end with a letter or digit; choose"
                            + " another",
                    "name",
                    name);
        }
        return new S3Settings(name);
    }

    /** The server, if it is not AWS's own, or one of AWS's special endpoints. */
    public S3Settings endpoint(URI value) {
        return with(next -> next.access = access.withEndpoint(value));
    }

    /** The bucket's region. Default: that of the SDK's chain; with an endpoint, us-east-1. */
    public S3Settings region(String value) {
        return with(next -> next.access = access.withRegion(value));
    }

    /**
     * Whether the bucket's name is in the path, not in the host name; most servers other than AWS need that. Default:
     * no.
     */
    public S3Settings pathStyle(boolean value) {
        return with(next -> next.pathStyle = value);
    }

    /** The credentials. Default: the SDK's chain (environment, system properties, profile, container, machine). */
    public S3Settings credentials(AwsCredentialsProvider value) {
        return with(next -> next.access = access.withCredentials(value));
    }

    /**
     * A client of the caller's own, which stays open when the store is closed. It has its own endpoint, region, path
     * style, credentials, time-outs and retries. Switch its retries off: the layer above repeats requests already, and
     * the two would multiply.
     */
    public S3Settings client(S3Client value) {
        return with(next -> next.client = value);
    }

    /**
     * An HTTP client other than the JDK's, for the store's own S3 client. It has its own time-outs, and is closed with
     * the store. {@code docs/PERFORMANCE.md} compares them.
     */
    public S3Settings http(SdkHttpClient.Builder<?> value) {
        return with(next -> next.http = Optional.of(value));
    }

    /** Whether a missing bucket is created at open; otherwise it is an error. Default: no. */
    public S3Settings createBucket(boolean value) {
        return with(next -> next.createBucket = value);
    }

    /** Tags for every object written, at most 10. Directory buckets have none. Default: none. */
    public S3Settings tags(Map<String, String> value) {
        if (value.size() > TAGS_MAX) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING, "an object takes at most 10 tags; remove some", "tags", value.size());
        }
        return with(next -> next.tags = Map.copyOf(value));
    }

    /** The time limit for making a connection. Default: 2 s. */
    public S3Settings connectTimeout(Duration value) {
        return with(next -> next.access = access.withConnectTimeout(value));
    }

    /** The longest silence of the server. Default: 10 s. */
    public S3Settings readTimeout(Duration value) {
        return with(next -> next.access = access.withReadTimeout(value));
    }

    /** The time limit of one request, however busy the server is. Default: 30 s. */
    public S3Settings callTimeout(Duration value) {
        return with(next -> next.access = access.withCallTimeout(value));
    }

    public String bucket() {
        return bucket;
    }

    /** Whether the bucket is a directory bucket of S3 Express One Zone: it has no tags and lists in no order. */
    public boolean isDirectoryBucket() {
        return bucket.endsWith("--x-s3");
    }

    public boolean pathStyle() {
        return pathStyle;
    }

    public Optional<S3Client> client() {
        return Optional.ofNullable(client);
    }

    public Optional<SdkHttpClient.Builder<?>> http() {
        return http;
    }

    public boolean createBucket() {
        return createBucket;
    }

    public Map<String, String> tags() {
        return tags;
    }

    /** The settings that all services of AWS share. */
    AwsAccess access() {
        return access;
    }
}
