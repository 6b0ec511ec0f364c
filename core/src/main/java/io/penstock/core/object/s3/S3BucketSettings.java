package io.penstock.core.object.s3;

import io.penstock.core.remote.RequestFailure;
import io.penstock.core.remote.aws.AwsFailures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.LifecycleRuleFilter;
import software.amazon.awssdk.services.s3.model.ObjectLockEnabled;
import software.amazon.awssdk.services.s3.model.ServerSideEncryptionByDefault;
import software.amazon.awssdk.services.s3.model.TransitionStorageClass;

/** Asks a server for the settings of a bucket. */
record S3BucketSettings(S3Client client, String bucket) {
    /** The codes by which a server says that a setting was never made. */
    private static final Set<String> UNSET = Set.of(
            "NoSuchLifecycleConfiguration",
            "ObjectLockConfigurationNotFoundError",
            "ServerSideEncryptionConfigurationNotFoundError");

    /** The storage classes whose objects cannot be read before they are restored. */
    private static final Set<TransitionStorageClass> ARCHIVES =
            Set.of(TransitionStorageClass.GLACIER, TransitionStorageClass.DEEP_ARCHIVE);

    BucketSettings read() {
        return new BucketSettings(
                ask(
                        false,
                        () -> client.getBucketVersioning(request -> request.bucket(bucket))
                                        .status()
                                == BucketVersioningStatus.ENABLED),
                ask(
                        false,
                        () -> client.getObjectLockConfiguration(request -> request.bucket(bucket))
                                        .objectLockConfiguration()
                                        .objectLockEnabled()
                                == ObjectLockEnabled.ENABLED),
                ask("none", this::encryption),
                ask(List.of(), this::lifecycle));
    }

    private String encryption() {
        return client
                .getBucketEncryption(request -> request.bucket(bucket))
                .serverSideEncryptionConfiguration()
                .rules()
                .stream()
                .map(rule -> text(rule.applyServerSideEncryptionByDefault()))
                .findFirst()
                .orElse("none");
    }

    private static String text(ServerSideEncryptionByDefault chosen) {
        return chosen.sseAlgorithmAsString() + (chosen.kmsMasterKeyID() == null ? "" : " " + chosen.kmsMasterKeyID());
    }

    private List<BucketSettings.Rule> lifecycle() {
        return client.getBucketLifecycleConfiguration(request -> request.bucket(bucket)).rules().stream()
                .filter(rule -> rule.status() == ExpirationStatus.ENABLED)
                .map(S3BucketSettings::rule)
                .toList();
    }

    @SuppressWarnings("deprecation") // rules of old, which have their prefix outside of a filter, still count
    private static BucketSettings.Rule rule(LifecycleRule rule) {
        List<String> takes = new ArrayList<>();
        if (rule.expiration() != null
                && (rule.expiration().days() != null || rule.expiration().date() != null)) {
            takes.add("expires them");
        }
        rule.transitions().stream()
                .filter(move -> ARCHIVES.contains(move.storageClass()))
                .forEach(move -> takes.add("moves them to " + move.storageClassAsString()));
        String prefix = rule.filter() == null ? rule.prefix() : prefix(rule.filter());
        return new BucketSettings.Rule(
                rule.id() == null ? "" : rule.id(),
                prefix == null ? "" : prefix,
                takes,
                rule.abortIncompleteMultipartUpload() != null);
    }

    private static @Nullable String prefix(LifecycleRuleFilter filter) {
        return filter.and() == null ? filter.prefix() : filter.and().prefix();
    }

    private static <T> Optional<T> ask(T unset, Supplier<T> request) {
        try {
            return Optional.of(request.get());
        } catch (RuntimeException e) { // of the SDK; also of what reads an answer that lacks parts
            RequestFailure failure = AwsFailures.of(e);
            return UNSET.contains(failure.code()) ? Optional.of(unset) : Optional.empty();
        }
    }
}
