package io.penstock.testing;

import io.penstock.core.object.BucketAddress;
import io.penstock.core.object.ObjectStore;
import io.penstock.testing.RealServers.Endpoint;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/** Opens buckets of real servers, those of other clouds by their addresses. */
public final class Buckets {
    private static final String BUCKET = "penstock-tests";

    private Buckets() {}

    /** Connects to the object store of a server: {@code minio}, {@code gcs} or {@code azurite}, say. */
    public static ObjectStore open(String server, Duration silence) {
        return switch (server) {
            case "gcs", "azurite" -> address(server, BUCKET).open();
            case "minio" -> AwsServers.objectsAt(RealServers.minio(), silence);
            case "versitygw" -> AwsServers.objectsAt(RealServers.versitygw(), silence);
            default -> AwsServers.objectsAt(RealServers.localstack(), silence);
        };
    }

    /** The address of a bucket on an emulator; credentials are put where the driver looks for them. */
    public static BucketAddress address(String server, String bucket) {
        if (server.equals("gcs")) {
            return at("gs://" + bucket, RealServers.gcs().s3().toString());
        }
        Endpoint azurite = RealServers.azurite();
        byte[] secret = azurite.secretKey().getBytes(StandardCharsets.UTF_8);
        System.setProperty("AZURE_STORAGE_KEY", Base64.getEncoder().encodeToString(secret));
        return at("azblob://" + azurite.accessKey() + "/" + bucket, azurite.s3() + "/" + azurite.accessKey());
    }

    private static BucketAddress at(String bucket, String endpoint) {
        return new BucketAddress(bucket, Optional.empty(), Optional.of(URI.create(endpoint)), false, true);
    }
}
