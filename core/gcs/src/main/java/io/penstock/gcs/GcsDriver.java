package io.penstock.gcs;

import io.penstock.core.object.BucketAddress;
import io.penstock.core.object.BucketDriver;
import io.penstock.core.object.ObjectStore;

/** The driver of buckets of Google Cloud Storage, such as {@code gs://books}. Safe for use by many threads. */
public final class GcsDriver implements BucketDriver {
    @Override
    public String scheme() {
        return "gs";
    }

    @Override
    public ObjectStore open(BucketAddress address) {
        GcsSettings settings = GcsSettings.bucket(address.name()).createBucket(address.createBucket());
        settings = address.region().map(settings::location).orElse(settings);
        return GcsObjectStore.open(address.endpoint().map(settings::endpoint).orElse(settings));
    }
}
