package io.penstock.core.object;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The name of a bucket and the way to reach it. {@code books} or {@code s3://books} is a bucket of S3, {@code
 * gs://books} one of Google Cloud Storage, {@code azblob://account/books} a container of Azure. Immutable.
 *
 * @param bucket the name, with its scheme unless it is of S3
 * @param region the region of a bucket of S3, or of one to be made on Google Cloud Storage
 * @param endpoint the server, if it is not the cloud's own
 * @param pathStyle whether S3 finds the bucket's name in the path
 * @param createBucket whether a missing bucket is made
 */
public record BucketAddress(
        String bucket, Optional<String> region, Optional<URI> endpoint, boolean pathStyle, boolean createBucket) {
    private static final String S3 = "s3";
    private static final String MARK = "://";
    private static final int PORT_MAX = 65_535;

    /** The artifacts that bring drivers, by scheme. */
    private static final Map<String, String> ARTIFACTS =
            Map.of(S3, "penstock-core", "gs", "penstock-gcs", "azblob", "penstock-azure");

    /**
     * The address of a server, which HTTP reaches.
     *
     * @param setting the name of the setting, for the message
     * @throws InvalidRequestException when it is none
     */
    public static URI server(String setting, String text) {
        try {
            URI address = new URI(text);
            boolean isHttp =
                    "http".equalsIgnoreCase(address.getScheme()) || "https".equalsIgnoreCase(address.getScheme());
            if (isHttp && address.getHost() != null && address.getPort() <= PORT_MAX) {
                return address;
            }
        } catch (URISyntaxException none) { // told below
        }
        throw new InvalidRequestException(
                ErrorCode.INVALID_SETTING,
                "a setting has a value of no meaning; give the address of a server, such as http://127.0.0.1:4566",
                "setting",
                setting,
                "value",
                text);
    }

    /** The cloud that the bucket is of: {@code s3}, {@code gs} or {@code azblob}. */
    public String scheme() {
        int mark = bucket.indexOf(MARK);
        return mark < 0 ? S3 : bucket.substring(0, mark);
    }

    /** The bucket's name without its scheme. */
    public String name() {
        int mark = bucket.indexOf(MARK);
        return mark < 0 ? bucket : bucket.substring(mark + MARK.length());
    }

    /**
     * Opens the bucket with the credentials of the environment, those that the cloud's own library looks for.
     *
     * @throws InvalidRequestException when no driver for it is on the class path, or the bucket is missing or another's
     * @throws io.penstock.core.UnavailableException when the server cannot be reached
     */
    public ObjectStore open() {
        String artifact = ARTIFACTS.get(scheme());
        if (artifact == null) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "no bucket has such an address; begin with s3://, gs:// or azblob://, or give a name of S3",
                    "scheme",
                    scheme());
        }
        return ServiceLoader.load(BucketDriver.class, BucketDriver.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .filter(driver -> driver.scheme().equals(scheme()))
                .findFirst()
                .orElseThrow(() -> new InvalidRequestException(
                        ErrorCode.INVALID_SETTING,
                        "the driver of this bucket is not on the class path; add the artifact io.penstock:" + artifact,
                        "bucket",
                        bucket))
                .open(this);
    }
}
