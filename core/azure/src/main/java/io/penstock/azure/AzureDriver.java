package io.penstock.azure;

import io.penstock.core.object.BucketAddress;
import io.penstock.core.object.BucketDriver;
import io.penstock.core.object.ObjectStore;

/**
 * The driver of containers of Azure Blob Storage, such as {@code azblob://account/books}. Safe for use by many threads.
 */
public final class AzureDriver implements BucketDriver {
    @Override
    public String scheme() {
        return "azblob";
    }

    @Override
    public ObjectStore open(BucketAddress address) {
        AzureSettings settings = AzureSettings.of(address.name()).createContainer(address.createBucket());
        return AzureObjectStore.open(address.endpoint().map(settings::endpoint).orElse(settings));
    }
}
