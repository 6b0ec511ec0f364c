package io.penstock.gcs;

import com.google.auth.Credentials;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.BucketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Settings of an object store on Google Cloud Storage. Immutable: each method returns changed settings. Everything
 * except the bucket's name has a default. Safe for use by many threads.
 *
 * @param bucket the bucket's name
 * @param endpoint the server, if it is not Google's own
 * @param credentials empty: the application default credentials, but none for a server without TLS, such as an emulator
 * @param location where a bucket is made; empty: where the project's default is
 * @param project the project that a bucket is made in; empty: that of {@code GOOGLE_CLOUD_PROJECT} or the credentials
 * @param createBucket whether a missing bucket is made at open; otherwise it is an error
 * @param connectTimeout the time limit for making a connection
 * @param readTimeout the longest silence of the server
 */
public record GcsSettings(
        String bucket,
        Optional<URI> endpoint,
        Optional<Credentials> credentials,
        Optional<String> location,
        Optional<String> project,
        boolean createBucket,
        Duration connectTimeout,
        Duration readTimeout) {
    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]");

    public GcsSettings {
        endpoint.ifPresent(server -> BucketAddress.server("endpoint", server.toString()));
        if (!BUCKET.matcher(bucket).matches()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "a bucket name must be 3 to 222 of a-z 0-9 . _ - and begin and end with a letter or digit; choose"
                            + " another",
                    "name",
                    bucket);
        }
        if (!connectTimeout.isPositive() || !readTimeout.isPositive()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "a time-out must be positive; raise it",
                    "connectTimeout",
                    connectTimeout,
                    "readTimeout",
                    readTimeout);
        }
    }

    /** Settings for this bucket, with 2 s to connect and 10 s of silence. */
    public static GcsSettings bucket(String name) {
        return new GcsSettings(
                name,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false,
                Duration.ofSeconds(2),
                Duration.ofSeconds(10));
    }

    public GcsSettings endpoint(URI value) {
        return new GcsSettings(
                bucket, Optional.of(value), credentials, location, project, createBucket, connectTimeout, readTimeout);
    }

    public GcsSettings credentials(Credentials value) {
        return new GcsSettings(
                bucket, endpoint, Optional.of(value), location, project, createBucket, connectTimeout, readTimeout);
    }

    public GcsSettings location(String value) {
        return new GcsSettings(
                bucket, endpoint, credentials, Optional.of(value), project, createBucket, connectTimeout, readTimeout);
    }

    public GcsSettings project(String value) {
        return new GcsSettings(
                bucket, endpoint, credentials, location, Optional.of(value), createBucket, connectTimeout, readTimeout);
    }

    public GcsSettings createBucket(boolean value) {
        return new GcsSettings(bucket, endpoint, credentials, location, project, value, connectTimeout, readTimeout);
    }

    /** Sets the longest silence of the server, when it connects and when it answers. */
    public GcsSettings timeouts(Duration connect, Duration read) {
        return new GcsSettings(bucket, endpoint, credentials, location, project, createBucket, connect, read);
    }
}
