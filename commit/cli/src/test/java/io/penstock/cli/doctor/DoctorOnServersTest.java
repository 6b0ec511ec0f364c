package io.penstock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Penstock;
import io.penstock.cli.doctor.Finding.Outcome;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.s3.S3ObjectStore;
import io.penstock.core.object.s3.S3Settings;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.Buckets;
import io.penstock.testing.RealServers;
import io.penstock.testing.RealServers.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;

/** The doctor on a server of S3, and in a bucket whose settings lose data. */
@Tag("servers")
class DoctorOnServersTest {
    private final String bucket = "doctor-" + UUID.randomUUID();

    private static S3Client client() {
        Endpoint endpoint = RealServers.localstack();
        return S3Client.builder()
                .endpointOverride(endpoint.s3())
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(endpoint.accessKey(), endpoint.secretKey())))
                .build();
    }

    private static List<String> checks(List<Finding> found, Outcome outcome) {
        return found.stream()
                .filter(each -> each.outcome() == outcome)
                .map(Finding::check)
                .toList();
    }

    @Test
    void aNewBucketIsWellUntilARuleTakesPages() {
        try (S3Client client = client();
                S3ObjectStore objects = S3ObjectStore.open(
                        S3Settings.bucket(bucket).client(client).createBucket(true))) {
            Place place = new Place(new ThreadTasks(), objects, Optional.empty(), "penstock", List.of());
            Penstock.open(place.settings()).close();
            List<Finding> found = new Doctor(place, place.settings()).run(true);
            assertThat(checks(found, Outcome.FAILED)).as("%s", found).isEmpty();
            assertThat(checks(found, Outcome.OK)).as("%s", found).contains("versioning", "object lock", "encryption");
            assertThat(checks(found, Outcome.WARNING)).contains("lifecycle rules");
            client.putBucketVersioning(request -> request.bucket(bucket)
                    .versioningConfiguration(versioning -> versioning.status(BucketVersioningStatus.ENABLED)));
            client.putBucketLifecycleConfiguration(request -> request.bucket(bucket)
                    .lifecycleConfiguration(rules -> rules.rules(rule -> rule.id("old")
                            .status(ExpirationStatus.ENABLED)
                            .filter(filter -> filter.prefix("penstock/"))
                            .expiration(expiration -> expiration.days(30)))));
            found = new Doctor(place, place.settings()).run(true);
            assertThat(checks(found, Outcome.FAILED)).as("%s", found).containsExactly("lifecycle rules");
            assertThat(checks(found, Outcome.WARNING)).contains("versioning");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gcs", "azurite"})
    void aBucketOfAnotherCloudIsWell(String server) {
        try (ObjectStore objects = Buckets.open(server, Duration.ofSeconds(10))) {
            Place place = new Place(new ThreadTasks(), objects, Optional.empty(), bucket.substring(0, 20), List.of());
            Penstock.open(place.settings()).close();
            List<Finding> found = new Doctor(place, place.settings()).run(true);
            assertThat(checks(found, Outcome.FAILED)).as("%s", found).isEmpty();
            assertThat(checks(found, Outcome.OK)).as("%s", found).contains("put if absent", "put if unchanged");
        }
    }
}
