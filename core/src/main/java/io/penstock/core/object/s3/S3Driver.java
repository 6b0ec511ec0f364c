package io.penstock.core.object.s3;

import io.penstock.core.object.BucketAddress;
import io.penstock.core.object.BucketDriver;
import io.penstock.core.object.ObjectStore;

/** The driver of buckets of S3, with region and credentials of the SDK's chains. Safe for use by many threads. */
public final class S3Driver implements BucketDriver {
    @Override
    public String scheme() {
        return "s3";
    }

    @Override
    public ObjectStore open(BucketAddress address) {
        S3Settings settings =
                S3Settings.bucket(address.name()).pathStyle(address.pathStyle()).createBucket(address.createBucket());
        settings = address.region().map(settings::region).orElse(settings);
        return S3ObjectStore.open(address.endpoint().map(settings::endpoint).orElse(settings));
    }
}
