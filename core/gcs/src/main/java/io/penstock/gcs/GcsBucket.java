package io.penstock.gcs;

import com.google.api.services.storage.Storage;
import com.google.api.services.storage.model.Bucket;
import com.google.api.services.storage.model.Objects;
import com.google.auth.Credentials;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.remote.ObjectCall;
import io.penstock.core.remote.RequestFailure;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks a bucket when a store is opened, and creates it if it is missing and may be created. For one thread. */
record GcsBucket(Storage client, GcsSettings settings, Optional<Credentials> credentials) {
    private static final Logger LOG = LoggerFactory.getLogger(GcsBucket.class);

    /** Returns only if the bucket exists. It is listed, since not all who may use a bucket may ask for its settings. */
    void require() {
        if (exists()) {
            return;
        }
        if (!settings.createBucket()) {
            throw new InvalidRequestException(
                    ErrorCode.BUCKET_NOT_FOUND,
                    "there is no such bucket; create it or name another",
                    "bucket",
                    settings.bucket());
        }
        create();
    }

    private boolean exists() {
        try {
            Objects listed = client.objects()
                    .list(settings.bucket())
                    .setMaxResults(1L)
                    .setFields("kind")
                    .execute();
            if (GcsObjectStore.KIND.equals(listed.getKind())) {
                return true;
            }
            throw another();
        } catch (InvalidRequestException own) {
            throw own;
        } catch (IOException | RuntimeException e) {
            RequestFailure failure = GcsOutcomes.failure(e);
            if (failure.status() == 404 && !GcsOutcomes.isForeign(failure)) {
                return false;
            }
            if (isNoJson(e)) {
                throw another();
            }
            throw failed(ObjectCall.READ, failure);
        }
    }

    /** Whether the answer was a page for people, say. */
    private static boolean isNoJson(Exception failure) {
        return failure instanceof IllegalArgumentException
                || failure.getClass().getName().startsWith("com.google.gson.");
    }

    private InvalidRequestException another() {
        return new InvalidRequestException(
                ErrorCode.UNSUPPORTED_SERVER,
                "the server does not answer as Google Cloud Storage does; check the endpoint, and proxies on the way",
                "bucket",
                settings.bucket());
    }

    private void create() {
        String project = GcsClients.project(settings, credentials)
                .orElseThrow(() -> new InvalidRequestException(
                        ErrorCode.INVALID_SETTING,
                        "a bucket is made in a project, and none is named; set GOOGLE_CLOUD_PROJECT, or create the"
                                + " bucket",
                        "bucket",
                        settings.bucket()));
        try {
            Bucket bucket = new Bucket().setName(settings.bucket());
            settings.location().ifPresent(bucket::setLocation);
            client.buckets().insert(project, bucket).setFields("name").execute();
            LOG.warn(
                    "there was no such bucket, and it was created; see that its name is right bucket={}",
                    settings.bucket());
        } catch (IOException | RuntimeException e) {
            RequestFailure failure = GcsOutcomes.failure(e);
            // Another client of the same store was first, or another project has the name.
            if (failure.status() != 409 || !exists()) {
                throw failed(ObjectCall.PUT, failure);
            }
        }
    }

    private RuntimeException failed(ObjectCall call, RequestFailure failure) {
        return GcsOutcomes.of(call, failure)
                .exception("gcs", "opening of a bucket", failure, "bucket", settings.bucket());
    }
}
